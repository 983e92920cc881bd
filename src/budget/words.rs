//! Lengths of time in words for people.
//!
//! In: bounds. Out: `650 ms`, `9.20 s`, `51.2 min`, `for ever`. Rounded to what is worth reading; exact forms are [`Bound`]'s own `Display`.

use super::time::Bound;

/// `650 ms`, `9.20 s`, `3.5 min`, `for ever`: rounded to the hundredth of a second.
pub fn short(bound: Bound) -> String {
    rounded(bound, false)
}

/// The same without trailing zeros: `104.5 s`, `22 s`.
pub fn trimmed(bound: Bound) -> String {
    rounded(bound, true)
}

/// Two times that are set against each other: exact where rounding would make them look alike or turn them round.
pub fn compared(a: Bound, b: Bound) -> (String, String) {
    let (x, y) = (short(a), short(b));
    if a != b && x == y { (exact(a), exact(b)) } else { (x, y) }
}

/// The exact time with a unit: `1.4755 s`.
pub fn exact(bound: Bound) -> String {
    match bound {
        Bound::Unbounded => "for ever".to_owned(),
        Bound::Finite(time) if time.as_micros() < 1_000_000 => format!("{} ms", decimal(time.as_micros(), 1_000, 0)),
        Bound::Finite(time) => format!("{} s", decimal(time.as_micros(), 1_000_000, 0)),
    }
}

/// The time in whole or fractional milliseconds: `1900 ms`, for values to write into code.
pub fn in_ms(time: crate::limit::Millis) -> String {
    format!("{} ms", decimal(time.as_micros(), 1_000, 0))
}

fn rounded(bound: Bound, trim: bool) -> String {
    let Bound::Finite(time) = bound else { return "for ever".to_owned() };
    let micros = time.as_micros();
    let in_unit = |per: u64, places: u32, unit: &str| {
        let scale = 10_u64.pow(places);
        let scaled = (u128::from(micros) * u128::from(scale) + u128::from(per) / 2) / u128::from(per);
        let (whole, rest) = (scaled / u128::from(scale), scaled % u128::from(scale));
        let digits = format!("{rest:0width$}", width = places as usize);
        let digits = if trim { digits.trim_end_matches('0') } else { &digits };
        if digits.is_empty() { format!("{whole} {unit}") } else { format!("{whole}.{digits} {unit}") }
    };
    match micros {
        0..1_000_000 => exact(bound),
        1_000_000..120_000_000 => in_unit(1_000_000, 2, "s"),
        120_000_000..7_200_000_000 => in_unit(60_000_000, 1, "min"),
        7_200_000_000..172_800_000_000 => in_unit(3_600_000_000, 1, "h"),
        172_800_000_000..31_557_600_000_000 => in_unit(86_400_000_000, 1, "days"),
        _ => in_unit(31_557_600_000_000, 1, "years"),
    }
}

/// `micros / per` in decimal, with at least `places` places.
fn decimal(micros: u64, per: u64, places: usize) -> String {
    let (whole, rest) = (micros / per, micros % per);
    let width = per.to_string().len() - 1;
    let digits = format!("{rest:0width$}");
    let mut digits = digits.trim_end_matches('0').to_owned();
    while digits.len() < places {
        digits.push('0');
    }
    if digits.is_empty() { whole.to_string() } else { format!("{whole}.{digits}") }
}

/// `no retry`, `1 retry`, `3 retries`.
pub fn retries(count: u64) -> String {
    match count {
        0 => "no retry".to_owned(),
        1 => "1 retry".to_owned(),
        _ => format!("{count} retries"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_rounded_times() {
        for (micros, shown) in [
            (0, "0 ms"),
            (650_000, "650 ms"),
            (1_250, "1.25 ms"),
            (9_200_000, "9.20 s"),
            (1_475_000, "1.48 s"),
            (104_500_000, "104.50 s"),
            (3_071_000_000, "51.2 min"),
            (7_200_000_000, "2.0 h"),
            (u64::MAX, "584542.0 years"),
        ] {
            assert_eq!(short(Bound::micros(micros)), shown);
        }
        assert_eq!(trimmed(Bound::millis(104_500)), "104.5 s");
        assert_eq!(trimmed(Bound::millis(22_000)), "22 s");
        assert_eq!(short(Bound::Unbounded), "for ever");
    }

    #[test]
    fn what_differs_never_looks_alike() {
        let (a, b) = compared(Bound::micros(2_000_001), Bound::micros(2_000_000));
        assert_eq!((a.as_str(), b.as_str()), ("2.000001 s", "2 s"));
    }
}
