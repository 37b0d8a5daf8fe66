//! Lines in a file, from which an interrupted sweep goes on. A line is appended as soon as its run is done, and
//! counts only if it is whole; at the end the file is put in the sweep's order. So the file holds the same bytes
//! however often the sweep was stopped and on however many threads it ran.

use super::Plan;
use super::line::Kept;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Longest line of a file that is gone on with, bytes.
const LONGEST_LINE: u64 = 64 << 20;

/// Where a whole line stands.
#[derive(Clone, Copy)]
struct Place {
    index: u64,
    offset: u64,
    /// With its line break.
    len: u64,
}

/// The file of a sweep, locked for this process.
pub struct Store {
    file: File,
    path: PathBuf,
    lines: Vec<Place>,
    /// By run: its line is there.
    has: Vec<bool>,
    end: u64,
    /// Something in the file is no line to keep.
    litter: bool,
}

impl Store {
    /// Opens or makes the file and reads which runs are there. The error is one sentence: it cannot be used, it
    /// belongs to another sweep, or another process is at it.
    pub fn open(path: &Path, plan: &Plan) -> Result<Self, String> {
        let shown = path.display();
        let cannot = |e: std::io::Error| format!("{shown} cannot be opened for reading and writing: {e}.");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{shown} is in use by another sweep; give each shard its own file."));
            }
            Err(TryLockError::Error(e)) => return Err(format!("{shown} cannot be locked: {e}.")),
        }
        // The end may replace the file, which must then be the file itself and not a link to it.
        let path = path.canonicalize().map_err(cannot)?;
        let has = vec![false; plan.sweep.len() as usize];
        let mut store = Self { file, path, lines: Vec::new(), has, end: 0, litter: false };
        store.read(plan)?;
        Ok(store)
    }

    fn read(&mut self, plan: &Plan) -> Result<(), String> {
        let shown = self.path.display().to_string();
        let mut reader = BufReader::new(self.file.try_clone().map_err(|e| cannot_read(&shown, &e))?);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let bounded = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            let len = bounded.map_err(|e| cannot_read(&shown, &e))? as u64;
            if len == LONGEST_LINE {
                return Err(format!("{shown}:{number} is longer than 64 MiB, which is no line of a sweep."));
            }
            if !could_be_ours(&line) {
                return Err(format!("{shown}:{number} is no line of a sweep; name another file."));
            }
            if len == 0 || line.last() != Some(&b'\n') {
                // What was being written when the sweep was stopped; the next line takes its place.
                break;
            }
            let kept = serde_json::from_slice(&line[..line.len() - 1]).ok();
            self.take(plan, kept, len).map_err(|what| format!("{shown}:{number} {what}"))?;
            self.end += len;
        }
        self.file.set_len(self.end).map_err(|e| format!("{shown} cannot be shortened: {e}."))
    }

    /// Takes one line that was read; `None` is a broken one.
    fn take(&mut self, plan: &Plan, kept: Option<Kept>, len: u64) -> Result<(), String> {
        let Some(Kept { index, scenario, simulated_ns }) = kept else {
            self.litter = true;
            return Ok(());
        };
        let ours = index < plan.sweep.len()
            && plan.sweep.point(index).scenario.fragment() == scenario
            && simulated_ns.is_none_or(|ns| ns == plan.simulated_ns);
        if !ours {
            return Err("is a run of another sweep; name another file for this one.".to_owned());
        }
        // A run that could not be done is tried again, and of two lines one is enough.
        if simulated_ns.is_none() || self.has(index) {
            self.litter = true;
            return Ok(());
        }
        self.lines.push(Place { index, offset: self.end, len });
        self.has[index as usize] = true;
        Ok(())
    }

    /// Whether a run's line is there.
    pub fn has(&self, index: u64) -> bool {
        self.has[index as usize]
    }

    /// Appends a run's line.
    pub fn put(&mut self, index: u64, line: &str) -> Result<(), String> {
        let bytes = format!("{line}\n");
        let at_end = self.file.seek(SeekFrom::Start(self.end));
        at_end
            .and_then(|_| self.file.write_all(bytes.as_bytes()))
            .map_err(|e| format!("{} cannot be written: {e}.", self.path.display()))?;
        self.lines.push(Place { index, offset: self.end, len: bytes.len() as u64 });
        self.has[index as usize] = true;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Puts the lines in order, if they are not. The old file stays until the new one is whole.
    pub fn finish(mut self) -> Result<(), String> {
        if !self.litter && self.lines.is_sorted_by_key(|line| line.index) {
            return Ok(());
        }
        self.lines.sort_by_key(|line| line.index);
        let mut name = OsString::from(self.path.as_os_str());
        name.push(".sorted");
        let sorted = PathBuf::from(name);
        self.copy_to(&sorted)
            .and_then(|()| std::fs::rename(&sorted, &self.path))
            .map_err(|e| format!("{} cannot be put in order: {e}.", self.path.display()))
    }

    fn copy_to(&mut self, path: &Path) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        for line in &self.lines {
            self.file.seek(SeekFrom::Start(line.offset))?;
            std::io::copy(&mut (&self.file).take(line.len), &mut out)?;
        }
        out.into_inner()?.sync_all()
    }
}

/// Whether a line, perhaps a broken one, begins as a sweep's do. No other file may be touched.
fn could_be_ours(line: &[u8]) -> bool {
    let begin = b"{\"index\":";
    let len = line.len().min(begin.len());
    line[..len] == begin[..len]
}

fn cannot_read(shown: &str, error: &std::io::Error) -> String {
    format!("{shown} cannot be read: {error}.")
}
