//! Times as RFC 3339 texts in UTC with milliseconds: `2026-11-16T02:25:25.000Z`.

use std::fmt;

use arena::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::schemas;

const DAY_MS: i64 = 86_400_000;

/// The first and the last moment of the years that have four digits.
const YEARS_MS: (i64, i64) = (-62_167_219_200_000, 253_402_300_799_999);

/// A time as agents see it. Times outside the years 0000 to 9999 are shown as the nearest end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct TimeView(pub Timestamp);

impl fmt::Display for TimeView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.ms().clamp(YEARS_MS.0, YEARS_MS.1);
        let (year, month, day) = civil(ms.div_euclid(DAY_MS));
        let of_day = ms.rem_euclid(DAY_MS);
        let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
        let (second, milli) = (of_day / 1_000 % 60, of_day % 1_000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

impl TimeView {
    /// The day alone, as in `2026-05-31`.
    pub fn day(self) -> String {
        let mut text = self.to_string();
        text.truncate("2026-05-31".len());
        text
    }

    /// Reads exactly what `Display` writes.
    pub fn read(text: &str) -> Option<TimeView> {
        let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().try_fold(0i64, |number, byte| {
                byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0'))
            })
        };
        let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let ms = number(11, 13)? * 3_600_000
            + number(14, 16)? * 60_000
            + number(17, 19)? * 1_000
            + number(20, 23)?;
        let view = TimeView(Timestamp::from_ms(days * DAY_MS + ms));
        // Writing it again finds every separator and range that is wrong.
        (view.to_string() == text).then_some(view)
    }
}

/// Year, month and day of the day this many days after 1970-01-01, in the Gregorian calendar.
///
/// The year is counted from March, so that the leap day is its last; an era is 400 years.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468; // from 0000-03-01
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153; // from March
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, month, day)
}

/// The inverse of [`civil`]; a day or month out of range gives some other day.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Serialize for TimeView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeView, D::Error> {
        let text = String::deserialize(deserializer)?;
        TimeView::read(&text).ok_or_else(|| D::Error::custom("not an RFC 3339 time in UTC"))
    }
}

schemas! {
    [] TimeView => {"type": "string", "format": "date-time"};
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ms: i64) -> String {
        TimeView(Timestamp::from_ms(ms)).to_string()
    }

    #[test]
    fn known_moments_are_written_right() {
        assert_eq!(text(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(text(-1), "1969-12-31T23:59:59.999Z");
        assert_eq!(text(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(text(1_709_210_096_007), "2024-02-29T12:34:56.007Z");
        assert_eq!(text(4_107_542_399_999), "2100-02-28T23:59:59.999Z");
        assert_eq!(text(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
        assert_eq!(text(i64::MAX), "9999-12-31T23:59:59.999Z");
        assert_eq!(text(i64::MIN), "0000-01-01T00:00:00.000Z");
    }

    #[test]
    fn every_day_of_all_years_follows_the_one_before() {
        let length = |year: i64, month: i64| match month {
            2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let (mut year, mut month, mut day) = (0, 1, 1);
        for number in YEARS_MS.0 / DAY_MS..=YEARS_MS.1 / DAY_MS {
            assert_eq!(civil(number), (year, month, day));
            assert_eq!(days(year, month, day), number);
            day += 1;
            if day > length(year, month) {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert_eq!(year, 10_000);
    }

    #[test]
    fn only_what_is_written_is_read() {
        for ms in [0, -1, 1_709_210_096_007, 253_402_300_799_999] {
            let view = TimeView(Timestamp::from_ms(ms));
            assert_eq!(TimeView::read(&view.to_string()), Some(view));
        }
        for text in [
            "",
            "2024-02-30T00:00:00.000Z",
            "2024-02-29T24:00:00.000Z",
            "2024-02-29 12:34:56.007Z",
            "2024-02-29T12:34:56.007z",
            "2024-02-29T12:34:56Z",
            "2024-13-01T00:00:00.000Z",
            "20é4-02-29T12:34:56.07Z",
        ] {
            assert_eq!(TimeView::read(text), None, "{text}");
        }
    }
}
