//! The published rows, as they stand in the library's data.

use balancescope::experiment::published;
use serde::Deserialize;

/// One row.
pub struct Given {
    pub id: String,
    pub kind: String,
    pub quantity: String,
    pub tolerance: String,
    pub source: String,
    /// In the order of the source; tables row by row.
    pub published: Vec<f64>,
    /// Their standard deviations, where the source has them.
    pub deviations: Vec<f64>,
}

#[derive(Deserialize)]
struct File {
    row: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    id: String,
    kind: String,
    quantity: String,
    tolerance: String,
    source: String,
    published: Numbers,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    Flat(Vec<f64>),
    Table(Vec<Vec<f64>>),
    /// A table of its own, by name.
    Elsewhere(String),
}

/// All rows. The error, one sentence, can only mean that the data in the program is broken.
pub fn rows() -> Result<Vec<Given>, String> {
    let file: File =
        toml::from_str(published::ROWS).map_err(|e| format!("The published rows cannot be read: {e}."))?;
    file.row.into_iter().map(given).collect()
}

fn given(row: Written) -> Result<Given, String> {
    let (published, deviations) = match row.published {
        Numbers::Flat(values) => (values, Vec::new()),
        Numbers::Table(rows) => (rows.concat(), Vec::new()),
        Numbers::Elsewhere(name) => column("compare_pct")
            .zip(column("compare_std_pct"))
            .ok_or_else(|| format!("The table {name} of the row {} cannot be read.", row.id))?,
    };
    Ok(Given {
        id: row.id,
        kind: row.kind,
        quantity: row.quantity,
        tolerance: row.tolerance,
        source: row.source,
        published,
        deviations,
    })
}

/// A column of the contention table.
fn column(name: &str) -> Option<Vec<f64>> {
    let mut lines = published::CONTENTION.lines();
    let at = lines.next()?.split(',').position(|own| own == name)?;
    lines.map(|line| line.split(',').nth(at)?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_values() {
        let rows = rows().unwrap();
        assert_eq!(rows.len(), 22);
        assert!(rows.iter().all(|r| !r.published.is_empty()));
        let values = |id: &str| rows.iter().find(|r| r.id == id).map(|r| r.published.len());
        assert_eq!(values("overload-flag-rates"), Some(24));
        assert_eq!(values("contention-busiest"), Some(published::CONTENTION.lines().count() - 1));
    }

    #[test]
    fn every_row_but_the_exact_ones_has_an_experiment_that_can_be_read() {
        let rows = rows().unwrap();
        for row in &rows {
            let case = published::case(&row.id);
            assert_eq!(case.is_none(), row.kind == "exact", "{}", row.id);
            let Some(case) = case else { continue };
            let plans = (case.plans)();
            for plan in &plans {
                let (_, warnings) = balancescope::scenario::Scenario::parse(&plan.fragment);
                assert_eq!(warnings, [], "{}: {}", row.id, plan.fragment);
            }
            let shown = (0..row.published.len()).map(case.shown_by);
            assert!(shown.max() < Some(plans.len()), "{}", row.id);
        }
        assert!(published::cases().all(|case| rows.iter().any(|row| row.id == case.id)));
    }
}
