//! Frames on their way to whoever draws them. Sixty frames a second pass here and not through component
//! state, so that only canvases and charts work on each of them.

use balancescope::observe::Frame;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// Frames as the worker sends them.
pub type FrameBus = Bus<Frame>;

type Listener<T> = Rc<RefCell<dyn FnMut(&Rc<T>)>>;
type Listeners<T> = RefCell<Vec<(u64, Listener<T>)>>;

struct Inner<T> {
    listeners: Listeners<T>,
    next: Cell<u64>,
    last: RefCell<Option<Rc<T>>>,
}

/// Hands every published value to all subscribers, in the order in which they subscribed. Clones share the
/// same subscribers; two buses are equal if they do.
pub struct Bus<T>(Rc<Inner<T>>);

impl<T> Clone for Bus<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Bus<T> {
    fn default() -> Self {
        Self(Rc::new(Inner { listeners: RefCell::default(), next: Cell::new(0), last: RefCell::new(None) }))
    }
}

impl<T> PartialEq for Bus<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: 'static> Bus<T> {
    /// Calls `listener` for every value published from now on, until the subscription is dropped.
    pub fn subscribe(&self, listener: impl FnMut(&Rc<T>) + 'static) -> Subscription {
        let id = self.0.next.get();
        self.0.next.set(id + 1);
        self.0.listeners.borrow_mut().push((id, Rc::new(RefCell::new(listener))));
        let bus: Weak<dyn Unsubscribe> = Rc::downgrade(&self.0) as Weak<dyn Unsubscribe>;
        Subscription { id, bus }
    }

    /// Hands a value to every subscriber. A subscriber may subscribe or unsubscribe meanwhile; a value
    /// published from within a subscriber does not reach that subscriber again.
    pub fn publish(&self, value: Rc<T>) {
        *self.0.last.borrow_mut() = Some(value.clone());
        let listeners: Vec<Listener<T>> = self.0.listeners.borrow().iter().map(|(_, l)| l.clone()).collect();
        for listener in listeners {
            if let Ok(mut call) = listener.try_borrow_mut() {
                call(&value);
            }
        }
    }

    /// What was published last.
    pub fn last(&self) -> Option<Rc<T>> {
        self.0.last.borrow().clone()
    }

    /// Forgets what was published last: its world is gone.
    pub fn clear(&self) {
        *self.0.last.borrow_mut() = None;
    }
}

trait Unsubscribe {
    fn unsubscribe(&self, id: u64);
}

impl<T> Unsubscribe for Inner<T> {
    fn unsubscribe(&self, id: u64) {
        self.listeners.borrow_mut().retain(|(i, _)| *i != id);
    }
}

/// Ends a subscription when dropped.
pub struct Subscription {
    id: u64,
    bus: Weak<dyn Unsubscribe>,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(bus) = self.bus.upgrade() {
            bus.unsubscribe(self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_subscription_hears_nothing_more() {
        let bus = Bus::<u64>::default();
        let heard = Rc::new(RefCell::new(Vec::new()));
        let sink = heard.clone();
        let subscription = bus.subscribe(move |f| sink.borrow_mut().push(**f));
        bus.publish(Rc::new(1));
        drop(subscription);
        bus.publish(Rc::new(2));
        assert_eq!(*heard.borrow(), [1]);
        assert_eq!(bus.last().as_deref(), Some(&2));
    }

    #[test]
    fn a_listener_may_unsubscribe_while_it_is_called() {
        let bus = Bus::<u64>::default();
        let slot: Rc<RefCell<Option<Subscription>>> = Rc::default();
        let inner = slot.clone();
        let count = Rc::new(Cell::new(0));
        let counter = count.clone();
        *slot.borrow_mut() = Some(bus.subscribe(move |_| {
            counter.set(counter.get() + 1);
            inner.borrow_mut().take();
        }));
        bus.publish(Rc::new(1));
        bus.publish(Rc::new(2));
        assert_eq!(count.get(), 1);
    }
}
