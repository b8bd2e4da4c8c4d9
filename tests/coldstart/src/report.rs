//! The figures as a table, as JSON, and against their goals.

use std::fmt::Write;
use std::fs;
use std::io;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::program::{Program, Served, Start};

/// Processor time up to the first question for work. Wall time is no less, and more by what else the
/// machine does.
const START_MAX: Duration = Duration::from_millis(7);
const PEAK_KB_MAX: u64 = 12_000;
const GZIP_MAX: usize = 3_500_000;
/// What the strongest house level has for a table, and may take more.
const HOUSE_TABLE_KB: u64 = (32 << 20) / 1_000;

/// A program and its figures.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) gzip: Option<usize>,
    pub(crate) start: Option<Start>,
    pub(crate) served: Option<Served>,
}

impl Row {
    /// A program that nothing is known of yet but its size.
    pub(crate) fn of(program: &Program) -> io::Result<Row> {
        let gzip = program.binary.as_ref().map(|binary| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            io::Write::write_all(&mut encoder, &fs::read(binary)?)?;
            encoder.finish().map(|bytes| bytes.len())
        });
        let gzip = gzip.transpose()?;
        Ok(Row { name: program.name.clone(), gzip, start: None, served: None })
    }

    /// The goals that it misses. Only functions have goals.
    pub(crate) fn missed(&self) -> Vec<String> {
        let Some(gzip) = self.gzip else { return Vec::new() };
        let mut missed = Vec::new();
        let cpu = self.start.as_ref().and_then(|start| start.cpu);
        if let Some(cpu) = cpu.filter(|cpu| *cpu > START_MAX) {
            missed.push(format!("{} takes {cpu:?} to start, more than {START_MAX:?}", self.name));
        }
        let table_kb = if self.name == "arena-house" { HOUSE_TABLE_KB } else { 0 };
        let max_kb = PEAK_KB_MAX + table_kb;
        if let Some(served) = self.served.as_ref().filter(|served| served.peak_kb > max_kb) {
            missed.push(format!("{} takes {} KB, more than {max_kb}", self.name, served.peak_kb));
        }
        if gzip > GZIP_MAX {
            missed.push(format!("{} has {gzip} bytes in gzip, more than {GZIP_MAX}", self.name));
        }
        missed
    }
}

pub(crate) fn table(rows: &[Row], starts: u32, requests: u32) -> String {
    let mut text = format!(
        "| program | start, min of {starts} | median | processor | peak memory | gzip | memory after \
         {requests} requests | processor a request | answers |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---|\n"
    );
    let or_dash = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
    for row in rows {
        let Some(start) = &row.start else {
            let _ = writeln!(
                text,
                "| {} | not measured: it does not start here | | | | | | | |",
                row.name
            );
            continue;
        };
        let served = row.served.as_ref();
        let answers = served.map(|served| {
            let all = served.answers.iter().map(|(answer, times)| format!("{times} × {answer}"));
            all.collect::<Vec<_>>().join(", ")
        });
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            ms(start.min),
            ms(start.median),
            or_dash(start.cpu.map(ms)),
            mb(start.peak_kb),
            or_dash(row.gzip.map(|bytes| format!("{:.2} MB", bytes as f64 / 1e6))),
            or_dash(served.map(|served| mb(served.peak_kb))),
            or_dash(
                served.and_then(|served| served.cpu).map(|cpu| format!("{} µs", cpu.as_micros()))
            ),
            or_dash(answers),
        );
    }
    text
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn mb(kb: u64) -> String {
    format!("{:.1} MB", kb as f64 / 1e3)
}

pub(crate) fn json(rows: &[Row]) -> String {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let start = row.start.as_ref();
            let served = row.served.as_ref();
            json!({
                "program": row.name,
                "gzip_bytes": row.gzip,
                "start_min_us": start.map(|start| start.min.as_micros()),
                "start_median_us": start.map(|start| start.median.as_micros()),
                "start_cpu_us": start.and_then(|start| start.cpu).map(|cpu| cpu.as_micros()),
                "start_peak_kb": start.map(|start| start.peak_kb),
                "served_peak_kb": served.map(|served| served.peak_kb),
                "served_cpu_us": served.and_then(|served| served.cpu).map(|cpu| cpu.as_micros()),
                "answers": served.map(|served| &served.answers),
            })
        })
        .collect();
    format!("{:#}\n", Value::from(rows))
}
