//! Lines that go to a terminal, a pipe or a device: in the sweep's order, each as soon as those before it are out.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// A writer that puts lines in order.
pub struct Stream {
    out: Box<dyn Write>,
    /// Lines that came before their turn.
    early: BTreeMap<usize, String>,
    next: usize,
    closed: bool,
}

impl Stream {
    /// To standard output.
    pub fn stdout() -> Self {
        Self::new(Box::new(std::io::stdout()))
    }

    /// To a pipe or device. The error is one sentence.
    pub fn to(path: &Path) -> Result<Self, String> {
        let file = OpenOptions::new().write(true).open(path);
        let file = file.map_err(|e| format!("{} cannot be written: {e}.", path.display()))?;
        Ok(Self::new(Box::new(file)))
    }

    fn new(out: Box<dyn Write>) -> Self {
        Self { out, early: BTreeMap::new(), next: 0, closed: false }
    }

    /// The reader closed the pipe: it has seen enough, and the runs that are left are for nobody.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Takes the line of that place in the order. An error ends the sweep.
    pub fn put(&mut self, place: usize, line: &str) -> Result<(), String> {
        self.early.insert(place, line.to_owned());
        while let Some(line) = self.early.remove(&self.next) {
            self.next += 1;
            self.write(&line)?;
        }
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        let written = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        match written {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Err("The reader of the lines wants no more.".to_owned())
            }
            Err(e) => Err(format!("The lines cannot be written: {e}.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<Vec<u8>>>);

    impl Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_wait_for_their_turn() {
        let memory = Memory::default();
        let mut stream = Stream::new(Box::new(memory.clone()));
        let seen = |memory: &Memory| String::from_utf8(memory.0.lock().unwrap().clone()).unwrap();
        for (place, expected) in [(1, ""), (0, "0\n1\n"), (3, "0\n1\n"), (2, "0\n1\n2\n3\n")] {
            stream.put(place, &place.to_string()).unwrap();
            assert_eq!(seen(&memory), expected);
        }
    }
}
