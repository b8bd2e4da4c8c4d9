//! What the server takes of the machine: memory, and whether that grows; processors, and how long
//! it had to wait for one.

use std::fs;
use std::time::Duration;

use serde::Serialize;

/// The resident memory of a process; `None` when it is gone, or where there is no `/proc`.
pub(crate) fn resident_kib(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim_end().parse().ok()
}

/// The processor time of a process so far, user and system.
pub(crate) fn cpu_time(pid: u32) -> Option<Duration> {
    /// Linux reports in hundredths of a second whatever its own tick is.
    const TICK_MS: u64 = 10;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name that may hold anything, in parentheses.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut times = rest.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some(Duration::from_millis((user + system) * TICK_MS))
}

/// Time that the threads of a process, those that live now, were ready and had no processor.
pub(crate) fn cpu_wait(pid: u32) -> Option<Duration> {
    let mut nanos = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let stat = fs::read_to_string(task.ok()?.path().join("schedstat")).unwrap_or_default();
        nanos += stat.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    }
    Some(Duration::from_nanos(nanos))
}

/// Memory over the samples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Growth {
    pub(crate) samples: usize,
    pub(crate) first_mib: f64,
    pub(crate) last_mib: f64,
    pub(crate) most_mib: f64,
    /// Slope in the second half, by least squares.
    pub(crate) slope_mib_per_min: f64,
    /// The same as a part of the mean of that half.
    pub(crate) slope_percent_per_min: f64,
}

/// The growth over samples of (seconds, KiB) in the order of time; `None` if there are too few.
pub(crate) fn growth(samples: &[(f64, u64)]) -> Option<Growth> {
    let mib: Vec<(f64, f64)> =
        samples.iter().map(|&(at, kib)| (at, kib as f64 / 1_024.0)).collect();
    let half = &mib[mib.len() / 2..];
    let (&(_, first), &(_, last)) = (mib.first()?, mib.last()?);
    let per_min = slope(half)? * 60.0;
    let mean = half.iter().map(|(_, mib)| mib).sum::<f64>() / half.len() as f64;
    Some(Growth {
        samples: mib.len(),
        first_mib: hundredths(first),
        last_mib: hundredths(last),
        most_mib: hundredths(mib.iter().map(|(_, mib)| *mib).fold(0.0, f64::max)),
        slope_mib_per_min: hundredths(per_min),
        slope_percent_per_min: hundredths(per_min / mean * 100.0),
    })
}

/// The slope of the line of least squares; `None` if the points stand at one place.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let common: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (spread > 0.0).then(|| common / spread)
}

/// Rounded as far as it is worth showing.
pub(crate) fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_second_half_tells_whether_memory_grows() {
        let warm = (0..10).map(|at| (f64::from(at), 1_024 * at as u64));
        let flat = (10..20).map(|at| (f64::from(at), 20_480));
        let found = growth(&warm.chain(flat).collect::<Vec<_>>()).unwrap();
        assert_eq!((found.slope_mib_per_min, found.slope_percent_per_min), (0.0, 0.0));
        assert_eq!((found.first_mib, found.last_mib, found.most_mib), (0.0, 20.0, 20.0));
    }

    #[test]
    fn a_leak_is_found() {
        let leak: Vec<_> = (0..60).map(|at| (f64::from(at), 102_400 + 1_024 * at as u64)).collect();
        let found = growth(&leak).unwrap();
        assert_eq!(found.slope_mib_per_min, 60.0);
        assert!((40.0..50.0).contains(&found.slope_percent_per_min), "{found:?}");
    }

    #[test]
    fn two_samples_at_one_time_tell_nothing() {
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&[(1.0, 5), (1.0, 6)]), None);
    }

    #[test]
    fn this_process_has_memory_and_time() {
        if cfg!(target_os = "linux") {
            let pid = std::process::id();
            assert!(resident_kib(pid).is_some_and(|kib| kib > 100));
            assert!(cpu_time(pid).is_some() && cpu_wait(pid).is_some());
        }
    }
}
