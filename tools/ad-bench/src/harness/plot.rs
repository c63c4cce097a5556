//! Plots of time against size, one for each problem that was measured at two sizes or more.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::problem::Problem;
use super::problems::PROBLEMS;
use super::report::{Record, Report};
use super::tool::Tool;

/// A line of a plot: its name, colour, whether it is the derivative, and its points.
struct Line {
    name: String,
    colour: RGBColor,
    derivative: bool,
    points: Vec<(f64, f64)>,
}

/// Writes `PROBLEM.svg` files to a folder; gives the names of the problems.
pub fn write(report: &Report, folder: &Path) -> Result<Vec<&'static str>> {
    let mut plots = Vec::new();
    for problem in PROBLEMS {
        let mut records: Vec<&Record> =
            report.records.iter().filter(|record| record.problem.name == problem.name).collect();
        if records.len() < 2 {
            continue;
        }
        records.sort_by(|a, b| a.amount().total_cmp(&b.amount()));
        let path = folder.join(format!("{}.svg", problem.name));
        draw(problem, &lines(&records), &path)
            .map_err(|error| anyhow!("cannot draw {}: {error}", path.display()))?;
        plots.push(problem.name);
    }
    Ok(plots)
}

fn lines(records: &[&Record]) -> Vec<Line> {
    let colours = [
        (Tool::AdOpt, RGBColor(200, 40, 40)),
        (Tool::Cpp, RGBColor(40, 110, 60)),
        (Tool::Jax, RGBColor(50, 90, 190)),
        (Tool::OneCore, RGBColor(220, 150, 40)),
    ];
    let mut lines = Vec::new();
    for (tool, colour) in colours {
        for (at, word) in ["primal", "derivative"].iter().enumerate() {
            let point = |record: &&Record| {
                let time = record.medians(tool)?[at];
                Some((record.amount(), time * 1e3))
            };
            let points: Vec<_> = records.iter().filter_map(point).collect();
            if !points.is_empty() {
                let name = format!("{}, {word}", tool.title());
                lines.push(Line { name, colour, derivative: at == 1, points });
            }
        }
    }
    lines
}

/// The least and the largest number, with some space around, for a logarithmic axis.
fn range(numbers: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) =
        numbers.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    low / 1.5..high * 1.5
}

fn draw(
    problem: &Problem,
    lines: &[Line],
    path: &Path,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let area = SVGBackend::new(path, (720, 440)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(problem.name, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(
            range(points().map(|p| p.0)).log_scale(),
            range(points().map(|p| p.1)).log_scale(),
        )?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .x_desc(problem.axis.label)
        .y_desc("milliseconds")
        .x_label_formatter(&|v| format!("{v:.0e}"))
        .y_label_formatter(&|v| v.to_string())
        .draw()?;
    for line in lines {
        let colour = line.colour;
        let style =
            if line.derivative { colour.stroke_width(2) } else { colour.mix(0.45).stroke_width(2) };
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style).point_size(3))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    area.present()?;
    Ok(())
}
