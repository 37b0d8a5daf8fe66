//! Protocol buffers, as far as a trace needs them: numbers, texts and messages in messages.

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A number: any of the integer types but those of fixed width and those that zigzag.
    pub(super) fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    /// A number that may be below 0.
    pub(super) fn signed(&mut self, field: u32, value: i64) -> &mut Self {
        self.number(field, value as u64)
    }

    /// A text.
    pub(super) fn text(&mut self, field: u32, value: &str) -> &mut Self {
        self.block(field, value.as_bytes())
    }

    /// A message within this one.
    pub(super) fn message(&mut self, field: u32, value: &Self) -> &mut Self {
        self.block(field, &value.bytes)
    }

    fn block(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What was written.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_says() {
        let mut inner = Message::default();
        inner.number(1, 150);
        assert_eq!(inner.bytes, [0x08, 0x96, 0x01]);
        let mut outer = Message::default();
        outer.text(2, "testing").message(3, &inner).signed(1, -2);
        let mut expected = vec![0x12, 7];
        expected.extend(b"testing");
        expected.extend([0x1a, 3, 0x08, 0x96, 0x01]);
        expected.extend([0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        assert_eq!(outer.into_bytes(), expected);
    }
}
