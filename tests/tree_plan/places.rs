//! Cells and wires lie where they should, on every machine at every width.

use crate::machines::{Named, all, library};
use crate::plan::geom::Rect;
use crate::plan::layout::{Layout, Want};
use crate::plan::measure::Stage;
use crate::plan::route::route;

const WIDTHS: [f64; 6] = [360.0, 390.0, 520.0, 744.0, 1000.0, 1600.0];
const HEIGHTS: [f64; 4] = [360.0, 420.0, 500.0, 760.0];

fn each(check: impl Fn(&str, &Named, &Layout)) {
    for named in all().into_iter().chain(library()) {
        for width in WIDTHS {
            for height in HEIGHTS {
                let layout = Layout::new(&named.1, &named.2, Want { width, height, viewer: 0 });
                check(&format!("{} at {width}x{height} ({:?})", named.0, layout.stage), &named, &layout);
            }
        }
    }
}

#[test]
fn cells_lie_inside_and_apart() {
    each(|what, _, layout| {
        let page = Rect::new(0.0, 0.0, layout.size.0, layout.size.1);
        for (cpu, cell) in layout.cells.iter().enumerate() {
            assert!(page.holds(&cell.rect), "{what}: cpu {cpu} at {:?} is outside {page:?}", cell.rect);
            assert!(layout.regions[cell.region].rect.holds(&cell.rect), "{what}: cpu {cpu} leaves its node");
            assert!(cell.rect.w > 0.0 && cell.rect.h > 0.0, "{what}: cpu {cpu} has no size");
        }
        let mut order: Vec<usize> = (0..layout.cells.len()).collect();
        order.sort_by(|&a, &b| layout.cells[a].rect.x.total_cmp(&layout.cells[b].rect.x));
        for (i, &a) in order.iter().enumerate() {
            for &b in &order[i + 1..] {
                let (ra, rb) = (layout.cells[a].rect, layout.cells[b].rect);
                if rb.x >= ra.right() - 1e-6 {
                    break;
                }
                assert!(ra.overlap(&rb) < 1e-3, "{what}: cpus {a} and {b} overlap");
            }
        }
    });
}

#[test]
fn no_cell_lies_on_a_wire() {
    each(|what, _, layout| {
        for (i, w) in layout.wires.iter().enumerate() {
            assert!(w.x0 <= w.x1, "{what}: wire {i} runs backwards");
            let bar = Rect::new(w.x0, w.y - w.thick / 2.0, w.x1 - w.x0, w.thick);
            for (cpu, cell) in layout.cells.iter().enumerate() {
                assert!(cell.rect.overlap(&bar) < 1e-3, "{what}: cpu {cpu} covers wire {i}");
            }
        }
    });
}

#[test]
fn the_picture_needs_no_more_than_the_view_where_cells_can_shrink() {
    each(|what, _, layout| {
        if layout.stage > Stage::Heat {
            let (w, h) = layout.size;
            assert!(WIDTHS.iter().any(|&v| (v - w).abs() < 1e-6), "{what}: {w} wide");
            assert!(HEIGHTS.iter().any(|&v| (v - h).abs() < 1e-6), "{what}: {h} high");
        }
    });
}

#[test]
fn every_domain_of_every_cpu_has_a_wire_of_its_level() {
    each(|what, (_, _, tree), layout| {
        for (cpu, chain) in tree.chains.iter().enumerate() {
            for d in chain {
                let wire = layout.wire_of(cpu, d.slot);
                assert!(
                    wire.is_some_and(|w| layout.wires[w].slot == d.slot),
                    "{what}: cpu {cpu} {:?}",
                    d.name
                );
            }
        }
    });
}

#[test]
fn routes_are_connected_and_turn_on_the_wire_of_the_level_that_moved_the_task() {
    each(|what, (_, _, tree), layout| {
        let n = layout.cells.len();
        let step = (n / 6).max(1);
        for from in (0..n).step_by(step) {
            for to in (0..n).step_by(step.max(2) - 1).filter(|&t| t != from) {
                let slot = tree.chains[to].iter().find(|d| d.span.contains(from)).map(|d| d.slot);
                let way = route(layout, from, to, slot);
                assert!(
                    layout.cells[from].rect.contains(way.pts[0]),
                    "{what}: {from} to {to} begins outside"
                );
                assert!(
                    layout.cells[to].rect.contains(*way.pts.last().unwrap()),
                    "{what}: {from} to {to} ends outside"
                );
                for pair in way.pts.windows(2) {
                    let straight =
                        (pair[0].x - pair[1].x).abs() < 0.02 || (pair[0].y - pair[1].y).abs() < 0.02;
                    assert!(straight, "{what}: {from} to {to} goes askew: {pair:?}");
                }
                if let Some(slot) = slot.filter(|_| tree.chains[from].iter().any(|d| d.span.contains(to))) {
                    let wire = way.wire.unwrap_or_else(|| panic!("{what}: {from} to {to} meets no wire"));
                    assert!(layout.wires[wire].slot >= slot, "{what}: {from} to {to} turns too low");
                    let y = layout.wires[wire].y;
                    let touches = |a: f64, b: f64| a.min(b) - 0.02 <= y && y <= a.max(b) + 0.02;
                    assert!(
                        way.pts.windows(2).any(|p| touches(p[0].y, p[1].y)),
                        "{what}: {from} to {to} misses its wire"
                    );
                }
            }
        }
    });
}

#[test]
fn stages_follow_the_room_a_cpu_gets() {
    let stage = |name: &str, width, height| {
        let (_, machine, tree) = all().into_iter().find(|m| m.0 == name).unwrap();
        Layout::new(&machine, &tree, Want { width, height, viewer: 0 }).stage
    };
    assert_eq!(stage("desk", 744.0, 480.0), Stage::Full);
    assert_eq!(stage("desk", 390.0, 420.0), Stage::Dots);
    assert_eq!(stage("laptop", 744.0, 480.0), Stage::Full);
    assert_eq!(stage("gnr-snc3", 744.0, 480.0), Stage::Block);
    assert_eq!(stage("gnr-snc3", 390.0, 420.0), Stage::Heat);
    assert!(stage("thousand", 744.0, 480.0) >= Stage::Heat);
    assert_eq!(stage("gnr-snc3", 744.0 * 4.0, 480.0 * 4.0), Stage::Full);
}

#[test]
fn two_halves_mirror_each_other() {
    let (_, machine, tree) = all().into_iter().find(|m| m.0 == "desk").unwrap();
    let layout = Layout::new(&machine, &tree, Want { width: 744.0, height: 480.0, viewer: 0 });
    let middle = layout.trunk.centre().y;
    // Threads 0 and 8 of core 0 lie above, those of core 4 (4 and 12) mirrored below.
    for (a, b) in [(0, 4), (8, 12), (3, 7), (11, 15)] {
        let (a, b) = (layout.cells[a].rect, layout.cells[b].rect);
        assert!((a.x - b.x).abs() < 1e-6 && ((middle - a.bottom()) - (b.y - middle)).abs() < 1e-6);
    }
}

#[test]
fn lanes_of_overlapping_spans_follow_the_viewer() {
    let (_, machine, tree) = all().into_iter().find(|m| m.0 == "gnr-snc3").unwrap();
    let seen = |viewer| {
        let layout = Layout::new(&machine, &tree, Want { width: 744.0, height: 480.0, viewer });
        let lanes = layout.wires.iter().filter(|w| w.region.is_none());
        lanes.map(|w| w.cpus.len()).collect::<Vec<_>>()
    };
    // Node 0 is at the end of its package, node 1 in the middle: its first span already is the package.
    assert_eq!(seen(0), [128, 192, 256, 320, 384, 192, 128]);
    assert_eq!(seen(32).first(), Some(&192));
}
