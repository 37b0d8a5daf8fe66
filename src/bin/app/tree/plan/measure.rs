//! How much room boxes need, and into how many rows each layer is broken so that a machine fits.

use super::nest::{Inside, Nest};

/// How much of a CPU a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// One block of colour without an edge.
    Heat,
    /// A block of colour, from 6 px a CPU.
    Block,
    /// Tasks as dots, from 24 px.
    Dots,
    /// Everything, from 60 px.
    Full,
}

impl Stage {
    /// All stages, richest first.
    pub const ALL: [Stage; 4] = [Self::Full, Self::Dots, Self::Block, Self::Heat];

    /// Smallest and largest size of a cell.
    pub fn limits(self) -> ((f64, f64), (f64, f64)) {
        match self {
            Self::Full => ((60.0, 104.0), (176.0, 172.0)),
            Self::Dots => ((24.0, 58.0), (60.0, 132.0)),
            Self::Block => ((6.0, 10.0), (24.0, 60.0)),
            Self::Heat => ((0.75, 2.0), (6.0, 24.0)),
        }
    }
}

/// Distances of one stage, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Metrics {
    /// Height of the strip with the wire of the lowest layer, and of the layers above it.
    pub core_band: f64,
    pub band: f64,
    /// From the strip's edge towards the trunk to the middle of a larger domain's wire; bars of attempts
    /// stand in the rest.
    pub rise: f64,
    /// Between cells, between boxes of the lowest layer, between larger boxes.
    pub cell_gap: f64,
    pub core_gap: f64,
    pub box_gap: f64,
    /// Inside the edge of a box of the lowest layer, and of larger ones.
    pub core_pad: f64,
    pub box_pad: f64,
    /// Between rows.
    pub row_gap: f64,
    /// Of a node's region: inside its edge, its title, and between regions.
    pub region_pad: f64,
    pub header: f64,
    pub region_gap: f64,
    /// Height of the trunk with one lane; of each lane with several, and around them.
    pub trunk: f64,
    pub lane: f64,
    pub lanes_pad: f64,
    /// Thickness of wires: lowest layer, above it, trunk.
    pub thin: f64,
    pub wire: f64,
    pub thick: f64,
}

impl Metrics {
    /// The distances of a stage.
    pub fn of(stage: Stage) -> Self {
        let full = Self {
            core_band: 17.0,
            band: 30.0,
            rise: 11.0,
            cell_gap: 4.0,
            core_gap: 8.0,
            box_gap: 10.0,
            core_pad: 4.0,
            box_pad: 4.0,
            row_gap: 10.0,
            region_pad: 8.0,
            header: 24.0,
            region_gap: 12.0,
            trunk: 44.0,
            lane: 16.0,
            lanes_pad: 14.0,
            thin: 9.0,
            wire: 9.0,
            thick: 11.0,
        };
        match stage {
            Stage::Full => full,
            Stage::Dots => Self {
                core_band: 13.0,
                band: 28.0,
                rise: 10.0,
                cell_gap: 3.0,
                core_gap: 5.0,
                core_pad: 3.0,
                row_gap: 8.0,
                region_pad: 6.0,
                thin: 6.0,
                region_gap: 10.0,
                ..full
            },
            Stage::Block => Self {
                core_band: 5.0,
                band: 26.0,
                rise: 9.0,
                cell_gap: 1.0,
                core_gap: 3.0,
                box_gap: 6.0,
                core_pad: 0.0,
                box_pad: 3.0,
                row_gap: 3.0,
                region_pad: 8.0,
                thin: 2.0,
                wire: 7.0,
                lane: 15.0,
                ..full
            },
            Stage::Heat => Self {
                core_band: 0.0,
                band: 22.0,
                rise: 8.0,
                cell_gap: 0.0,
                core_gap: 0.5,
                box_gap: 3.0,
                core_pad: 0.0,
                box_pad: 2.0,
                row_gap: 1.0,
                region_pad: 5.0,
                region_gap: 5.0,
                header: 20.0,
                trunk: 36.0,
                lane: 15.0,
                thin: 0.0,
                wire: 6.0,
                thick: 9.0,
                ..full
            },
        }
    }

    /// Height of the strip in which the wire of a layer lies.
    pub fn band_of(&self, layer: usize, lowest: bool) -> f64 {
        if layer == 0 && lowest { self.core_band } else { self.band }
    }
}

/// Everything that the measuring of boxes depends on besides the boxes.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Distances.
    pub metrics: Metrics,
    /// `rows[layer]`.
    pub rows: Vec<usize>,
    /// Whether layer 0 is a level of threads or small clusters, drawn with the narrow strip.
    pub cores: bool,
}

/// Room needed: `a` cell widths and `b` pixels across, `ra` cell heights and `rb` pixels deep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Need {
    pub a: f64,
    pub b: f64,
    pub ra: f64,
    pub rb: f64,
}

impl Need {
    /// Grows to hold the larger of both in each direction.
    pub fn max(self, o: Need) -> Need {
        Need { a: self.a.max(o.a), b: self.b.max(o.b), ra: self.ra.max(o.ra), rb: self.rb.max(o.rb) }
    }
}

impl Fit {
    /// How many of `n` things lie in one row of a layer.
    pub fn per_row(&self, layer: usize, n: usize) -> usize {
        n.div_ceil(self.rows.get(layer).copied().unwrap_or(1).max(1)).max(1)
    }

    /// Distance between the things that a box holds.
    pub fn gap(&self, nest: &Nest) -> f64 {
        match &nest.inside {
            Inside::Cpus(_) => self.metrics.cell_gap,
            Inside::Boxes(b) if b.iter().all(|b| b.layer == 0 && self.cores) => self.metrics.core_gap,
            Inside::Boxes(_) => self.metrics.box_gap,
        }
    }

    /// Distance from the edge of a box to what it holds.
    pub fn pad(&self, nest: &Nest) -> f64 {
        if nest.layer == 0 && self.cores { self.metrics.core_pad } else { self.metrics.box_pad }
    }

    /// Depth of a box's strip for its wire.
    pub fn band(&self, nest: &Nest) -> f64 {
        self.metrics.band_of(nest.layer, self.cores)
    }

    /// From the edge of a box towards the trunk to the middle of its wire.
    pub fn rise(&self, nest: &Nest) -> f64 {
        if nest.layer == 0 && self.cores { self.metrics.core_band / 2.0 } else { self.metrics.rise }
    }

    /// Room that a box needs.
    pub fn need(&self, nest: &Nest) -> Need {
        let (gap, pad) = (self.gap(nest), self.pad(nest));
        let per_row = self.per_row(nest.layer, nest.children());
        let mut all = Need::default();
        let mut rows = 0.0;
        let mut add = |row: &[Need]| {
            let tall = row.iter().copied().fold(Need::default(), Need::max);
            all.a = all.a.max(row.iter().map(|n| n.a).sum());
            all.b = all.b.max(row.iter().map(|n| n.b).sum::<f64>() + gap * (row.len() as f64 - 1.0));
            all.ra += tall.ra;
            all.rb += tall.rb;
            rows += 1.0;
        };
        match &nest.inside {
            Inside::Cpus(cpus) => {
                let one = Need { a: 1.0, b: 0.0, ra: 1.0, rb: 0.0 };
                cpus.chunks(per_row).for_each(|row| add(&vec![one; row.len()]));
            }
            Inside::Boxes(boxes) => boxes
                .chunks(per_row)
                .for_each(|row| add(&row.iter().map(|b| self.need(b)).collect::<Vec<_>>())),
        }
        all.b += 2.0 * pad;
        all.rb += self.metrics.row_gap * (rows - 1.0f64).max(0.0) + self.band(nest) + pad;
        all
    }
}
