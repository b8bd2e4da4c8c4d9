//! Use of the machine by the server: memory and its growth, processors and the wait for one.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

/// The resident memory of a process; `None` when it is gone, or where there is no `/proc`.
pub(crate) fn resident_kib(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim_end().parse().ok()
}

/// The processor time of a process so far, user and system.
fn cpu_time(pid: u32) -> Option<Duration> {
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
fn cpu_wait(pid: u32) -> Option<Duration> {
    let mut nanos = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let stat = fs::read_to_string(task.ok()?.path().join("schedstat")).unwrap_or_default();
        nanos += stat.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    }
    Some(Duration::from_nanos(nanos))
}

/// Processor time and waiting time of a process so far; `None` where the system does not tell.
pub(crate) fn cpu(pid: u32) -> Option<[Duration; 2]> {
    Some([cpu_time(pid)?, cpu_wait(pid)?])
}

/// Processor use over a window in which so many requests were answered.
pub(crate) fn processor(
    before: [Duration; 2],
    after: [Duration; 2],
    window: Duration,
    requests: u64,
) -> Value {
    let [time, wait] = [0, 1].map(|at| after[at].saturating_sub(before[at]).as_secs_f64());
    json!({
        "us_per_request": hundredths(time * 1e6 / requests.max(1) as f64),
        "cores_busy": hundredths(time / window.as_secs_f64()),
        // Processors that it would have kept busy besides, had they been free: where this is not small,
        // the machine was measured and not the server.
        "cores_missed": hundredths(wait / window.as_secs_f64()),
    })
}

/// Memory over samples of (seconds, KiB) in the order of time, with its slope in the second half, also as a
/// part of the mean of that half; `None` if there are too few.
pub(crate) fn growth(samples: &[(f64, u64)]) -> Option<Value> {
    let mib: Vec<(f64, f64)> =
        samples.iter().map(|&(at, kib)| (at, kib as f64 / 1_024.0)).collect();
    let half = &mib[mib.len() / 2..];
    let per_min = slope(half)? * 60.0;
    let mean = half.iter().map(|(_, mib)| mib).sum::<f64>() / half.len() as f64;
    Some(json!({
        "samples": mib.len(),
        "first_mib": hundredths(mib.first()?.1),
        "last_mib": hundredths(mib.last()?.1),
        "most_mib": hundredths(mib.iter().map(|(_, mib)| *mib).fold(0.0, f64::max)),
        "slope_mib_per_min": hundredths(per_min),
        "slope_percent_per_min": hundredths(per_min / mean * 100.0),
    }))
}

/// The slope of the line of least squares; `None` if all points stand at one place.
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
        assert_eq!(found["slope_percent_per_min"], 0.0);
        assert_eq!((&found["first_mib"], &found["most_mib"]), (&json!(0.0), &json!(20.0)));
        let leak: Vec<_> = (0..60).map(|at| (f64::from(at), 102_400 + 1_024 * at as u64)).collect();
        let found = growth(&leak).unwrap();
        assert_eq!(found["slope_mib_per_min"], 60.0);
        let percent = found["slope_percent_per_min"].as_f64().unwrap();
        assert!((40.0..50.0).contains(&percent), "{found}");
        assert_eq!(growth(&[(1.0, 5), (1.0, 6)]), None);
    }

    #[test]
    fn this_process_has_memory_and_time() {
        if cfg!(target_os = "linux") {
            let pid = std::process::id();
            assert!(resident_kib(pid).is_some_and(|kib| kib > 100));
            assert!(cpu(pid).is_some());
        }
    }
}
