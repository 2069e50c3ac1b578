//! Arrays that cannot be missed, and bytes compared eight at a time.

/// An array whose size is a power of two. An index beyond it wraps around, so that none is outside and
/// none has to be checked.
#[derive(Clone)]
pub(super) struct Table<T, const N: usize>(Box<[T; N]>);

impl<T: Copy + Default, const N: usize> Table<T, N> {
    const IS_POWER: () = assert!(N.is_power_of_two());

    pub(super) fn new() -> Self {
        const { Self::IS_POWER };
        Self(Box::new([T::default(); N]))
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(T::default());
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> T {
        self.0.get(at % N).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, value: T) {
        if let Some(slot) = self.0.get_mut(at % N) {
            *slot = value;
        }
    }
}

/// Four bytes as a number; 0 where there are fewer.
#[inline]
pub(super) fn four(text: &[u8], at: usize) -> u32 {
    let bytes = text.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// How many bytes, up to `most`, are the same at two places of a text.
#[inline]
pub(super) fn alike(text: &[u8], a: usize, b: usize, most: usize) -> usize {
    let (Some(a), Some(b)) = (text.get(a..a + most), text.get(b..b + most)) else {
        return 0;
    };
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut len = 0;
    for (a, b) in a.iter().zip(b) {
        let differs = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differs != 0 {
            return len + differs.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let same = a_rest.iter().zip(b_rest).take_while(|(a, b)| a == b);
    len + same.count()
}
