//! Frames on their way to whoever draws them. Sixty frames a second pass here and not through component
//! state, so that only canvases and charts work on each of them.

use balancescope::observe::Frame;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

type Listener = Rc<RefCell<dyn FnMut(&Rc<Frame>)>>;

#[derive(Default)]
struct Inner {
    listeners: RefCell<Vec<(u64, Listener)>>,
    next: Cell<u64>,
    last: RefCell<Option<Rc<Frame>>>,
}

/// Hands every published frame to all subscribers, in the order in which they subscribed. Clones share the
/// same subscribers; two buses are equal if they do.
#[derive(Clone, Default)]
pub struct FrameBus(Rc<Inner>);

impl PartialEq for FrameBus {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl FrameBus {
    /// Calls `listener` for every frame published from now on, until the subscription is dropped.
    pub fn subscribe(&self, listener: impl FnMut(&Rc<Frame>) + 'static) -> Subscription {
        let id = self.0.next.get();
        self.0.next.set(id + 1);
        self.0.listeners.borrow_mut().push((id, Rc::new(RefCell::new(listener))));
        Subscription { id, bus: Rc::downgrade(&self.0) }
    }

    /// Hands a frame to every subscriber. A subscriber may subscribe or unsubscribe meanwhile; a frame
    /// published from within a subscriber does not reach that subscriber again.
    pub fn publish(&self, frame: Rc<Frame>) {
        *self.0.last.borrow_mut() = Some(frame.clone());
        let listeners: Vec<Listener> = self.0.listeners.borrow().iter().map(|(_, l)| l.clone()).collect();
        for listener in listeners {
            if let Ok(mut call) = listener.try_borrow_mut() {
                call(&frame);
            }
        }
    }

    /// The frame published last.
    pub fn last(&self) -> Option<Rc<Frame>> {
        self.0.last.borrow().clone()
    }

    /// Forgets the last frame: its world is gone.
    pub fn clear(&self) {
        *self.0.last.borrow_mut() = None;
    }
}

/// Ends a subscription when dropped.
pub struct Subscription {
    id: u64,
    bus: Weak<Inner>,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(bus) = self.bus.upgrade() {
            bus.listeners.borrow_mut().retain(|(id, _)| *id != self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use balancescope::observe::Totals;

    fn frame(now_ns: u64) -> Rc<Frame> {
        Rc::new(Frame {
            now_ns,
            events: 0,
            state_hash: None,
            overload: false,
            cpus: Vec::new(),
            moves: Vec::new(),
            moves_dropped: 0,
            attempts: Vec::new(),
            attempts_dropped: 0,
            totals: Totals::default(),
            latency_ns: None,
        })
    }

    #[test]
    fn a_dropped_subscription_hears_nothing_more() {
        let bus = FrameBus::default();
        let heard = Rc::new(RefCell::new(Vec::new()));
        let sink = heard.clone();
        let subscription = bus.subscribe(move |f| sink.borrow_mut().push(f.now_ns));
        bus.publish(frame(1));
        drop(subscription);
        bus.publish(frame(2));
        assert_eq!(*heard.borrow(), [1]);
        assert_eq!(bus.last().map(|f| f.now_ns), Some(2));
    }

    #[test]
    fn a_listener_may_unsubscribe_while_it_is_called() {
        let bus = FrameBus::default();
        let slot: Rc<RefCell<Option<Subscription>>> = Rc::default();
        let inner = slot.clone();
        let count = Rc::new(Cell::new(0));
        let counter = count.clone();
        *slot.borrow_mut() = Some(bus.subscribe(move |_| {
            counter.set(counter.get() + 1);
            inner.borrow_mut().take();
        }));
        bus.publish(frame(1));
        bus.publish(frame(2));
        assert_eq!(count.get(), 1);
    }
}
