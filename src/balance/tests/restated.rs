//! The rules told a second time, slowly and plainly, and held against the functions on random values.

use super::*;
use crate::topology::{CpuMask, GroupId};
use proptest::prelude::*;

fn any_release() -> impl Strategy<Value = Release> {
    proptest::sample::select(Release::ALL.to_vec())
}

fn any_idle() -> impl Strategy<Value = IdleType> {
    proptest::sample::select(vec![IdleType::Idle, IdleType::Busy, IdleType::Newidle])
}

prop_compose! {
    fn any_group()(
        loads in prop::array::uniform3(0_u64..9000),
        nr_running in 0_u32..10,
        other_classes in 0_u32..2,
        weight in 1_u32..5,
        idle in 0_u32..5,
        imbalance_flag in prop::bool::weighted(0.1),
        misfit_load in prop_oneof![3 => Just(0_u64), 1 => 1_u64..2000],
        smt in any::<bool>(),
        prefer_sibling in any::<bool>(),
        cpu_capacity in prop_oneof![Just(1024_u64), Just(400), Just(1000)],
    ) -> GroupStats {
        GroupStats {
            local: false,
            load: loads[0],
            util: loads[1],
            runnable: loads[2],
            nr_running,
            h_nr_running: nr_running.saturating_sub(other_classes),
            idle_cpus: idle.min(weight),
            weight,
            capacity: u64::from(weight) * cpu_capacity,
            min_capacity: cpu_capacity,
            max_capacity: cpu_capacity,
            imbalance_flag,
            misfit_load,
            smt,
            prefer_sibling,
            cores: weight,
            ..GroupStats::default()
        }
    }
}

prop_compose! {
    fn any_domain()(
        idle in any_idle(),
        imbalance_pct in prop_oneof![Just(110_u32), Just(117), Just(125)],
        flags in prop::array::uniform5(any::<bool>()),
        imb_numa_nr in 0_u32..4,
        dst_capacity in prop_oneof![Just(1024_u64), Just(400), Just(1079)],
    ) -> DomainView {
        DomainView {
            idle,
            imbalance_pct,
            child_prefer_sibling: flags[0],
            imb_numa_nr,
            numa: flags[1],
            share_llc: flags[2],
            asym_capacity: flags[3],
            dst_core_idle: flags[4],
            dst_capacity,
            ..domain()
        }
    }
}

/// 6.1's amount of load between overloaded groups in exact arithmetic modulo 2^64.
fn exact_load(local: &GroupStats, busiest: &GroupStats, domain_avg: u64) -> u64 {
    let wrap = |value: i128| value.rem_euclid(1 << 64);
    let side = |difference: i128, capacity: u64| wrap(wrap(difference) * i128::from(capacity));
    let from = side(i128::from(busiest.avg_load) - i128::from(domain_avg), busiest.capacity);
    let to = side(i128::from(domain_avg) - i128::from(local.avg_load), local.capacity);
    u64::try_from(from.min(to) / 1024).unwrap()
}

/// The busiest group of 6.1 on equal capacities, as one order over groups: type, load of overloaded groups,
/// fewest idle CPUs and most tasks of spare ones; the first of equals, but the last of equal misfits.
fn busiest_6_1(groups: &[GroupStats]) -> Option<usize> {
    let key = |group: &GroupStats| {
        let spare = group.group_type == GroupType::HasSpare;
        let fewest = if spare { u32::MAX - group.idle_cpus } else { 0 };
        let tasks = if spare { group.nr_running } else { 0 };
        let misfit = if group.group_type == GroupType::Misfit { group.misfit_load } else { 0 };
        (group.group_type, group.avg_load, misfit, fewest, tasks)
    };
    let mut best: Option<usize> = None;
    for (index, group) in
        groups.iter().enumerate().filter(|(_, group)| !group.local && group.h_nr_running > 0)
    {
        let newer = best.is_none_or(|best| match key(group).cmp(&key(&groups[best])) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => group.group_type == GroupType::Misfit,
            std::cmp::Ordering::Less => false,
        });
        if newer {
            best = Some(index);
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_busiest_of_6_1_is_the_greatest_in_one_order(
        groups in prop::collection::vec(any_group(), 1..7),
        domain in any_domain(),
        local in any::<prop::sample::Index>(),
    ) {
        let mut groups = groups;
        let local = local.index(groups.len());
        groups[local].local = true;
        let domain = DomainView { asym_capacity: false, ..domain };
        let decision = find_busiest_group(&rules(Release::V6_1), &domain, &mut groups, &mut ());
        prop_assert_eq!(decision.busiest, busiest_6_1(&groups));
    }

    /// Groups that are kept from pass to pass decide as groups that are gathered anew for each.
    #[test]
    fn kept_groups_decide_as_fresh_ones(
        release in any_release(),
        groups in prop::collection::vec(any_group(), 2..7),
        passes in prop::collection::vec(
            (any_domain(), any::<prop::sample::Index>(), any_group(), any::<prop::sample::Index>()), 1..12),
    ) {
        let rules = rules(release);
        let fixed = |group: GroupStats| GroupStats { local: false, ..group };
        let mut plain: Vec<GroupStats> = groups.into_iter().map(fixed).collect();
        let mut kept = KeptGroups::new(plain.clone());
        for (domain, first, changed, place) in passes {
            let place = place.index(plain.len());
            plain[place] = fixed(changed);
            *kept.change(GroupId(place as u32)) = plain[place].clone();
            let first = first.index(plain.len());
            let order: Vec<GroupId> = (0..plain.len()).map(|i| GroupId(((first + i) % plain.len()) as u32)).collect();
            let mut fresh: Vec<GroupStats> = order.iter().map(|id| plain[id.0 as usize].clone()).collect();
            fresh[0].local = true;
            let expected = find_busiest_group(&rules, &domain, &mut fresh, &mut ());
            let mut got = kept.find_busiest(&rules, &domain, &order, &mut ());
            got.busiest = got.busiest.map(|id| order.iter().position(|o| o.0 as usize == id).unwrap());
            prop_assert_eq!(got, expected);
            for (id, group) in order.iter().zip(fresh) {
                let (type_, load) = (kept.get(*id).group_type, kept.get(*id).avg_load);
                prop_assert_eq!((type_, load), (group.group_type, group.avg_load));
            }
        }
    }

    #[test]
    fn a_decision_is_consistent_in_every_release(
        release in any_release(),
        groups in prop::collection::vec(any_group(), 1..7),
        domain in any_domain(),
    ) {
        let mut groups = groups;
        groups[0].local = true;
        let decision = find_busiest_group(&rules(release), &domain, &mut groups, &mut ());
        if let Some(busiest) = decision.busiest {
            prop_assert!(!groups[busiest].local && groups[busiest].h_nr_running > 0);
        }
        prop_assert!(!decision.go || decision.busiest.is_some());
        prop_assert!(decision.go || (decision.amount == 0 && decision.migration_type.is_none()));
        prop_assert!(decision.amount >= 0 || decision.migration_type == Some(MigrationType::Load));
        for group in &groups {
            let overloaded = group.group_type == GroupType::Overloaded;
            prop_assert!(overloaded || group.avg_load == 0);
        }
    }

    #[test]
    fn loads_of_overloaded_groups_wrap_as_64_bits(
        loads in prop::array::uniform2(0_u64..20_000),
        weights in prop::array::uniform2(1_u64..65),
        rest in (0_u64..100_000, 1024_u64..65_536),
    ) {
        let of = |index: usize| {
            let capacity = weights[index] * 1024;
            let avg_load = loads[index] * 1024 / capacity;
            GroupStats { group_type: GroupType::Overloaded, load: loads[index], capacity, avg_load, ..group() }
        };
        let (local, busiest) = (of(0), of(1));
        let sum = DomainSum {
            load: local.load + busiest.load + rest.0,
            capacity: local.capacity + busiest.capacity + rest.1,
        };
        let ours = calculate_imbalance(&rules(Release::V6_1), &domain(), &local, &busiest, sum, &mut ());
        prop_assert_eq!(ours.amount.cast_unsigned(), exact_load(&local, &busiest, sum.avg_load()));
    }

    #[test]
    fn the_heaviest_queue_is_the_first_with_the_greatest_fraction(
        queues in prop::collection::vec((0_u64..2000, 1_u64..1025, 0_u32..4), 0..8),
        amount in 0_i64..2000,
    ) {
        let candidates: Vec<QueueCandidate> = queues
            .iter()
            .enumerate()
            .map(|(cpu, &(load, capacity, tasks))| {
                let stats = CpuStats { load, capacity, original_capacity: 1024, nr_running: tasks, h_nr_queued: tasks, h_nr_runnable: tasks, ..CpuStats::default() };
                QueueCandidate { cpu, stats, capacity_reduced: false, priority: 0 }
            })
            .collect();
        let fits = |c: &&QueueCandidate| {
            let s = &c.stats;
            s.h_nr_queued > 1 || (s.h_nr_queued == 1 && i128::from(s.load) <= i128::from(amount))
        };
        // Common denominators make the fractions whole numbers.
        let whole = |c: &QueueCandidate| {
            let others: u128 = queues.iter().map(|q| u128::from(q.1)).product();
            u128::from(c.stats.load) * (others / u128::from(c.stats.capacity))
        };
        let mut best: Option<&QueueCandidate> = None;
        for candidate in candidates.iter().filter(fits).filter(|c| c.stats.load > 0) {
            if best.is_none_or(|best| whole(candidate) > whole(best)) {
                best = Some(candidate);
            }
        }
        let ours = find_busiest_queue(
            &rules(Release::V6_6), &domain(), MigrationType::Load, amount, candidates.iter().copied(), &mut (),
        );
        prop_assert_eq!(ours, best.map(|best| best.cpu));
    }

    #[test]
    fn exactly_one_cpu_of_a_group_balances(
        release in any_release(),
        idle in prop::collection::vec(any::<bool>(), 1..9),
        smt in any::<bool>(),
    ) {
        let cpus = idle.len();
        let sibling_idle = |cpu: usize| idle.get(cpu ^ 1).copied().unwrap_or(true);
        let view = Cpus((0..cpus).map(|cpu| (idle[cpu], sibling_idle(cpu))).collect());
        let mask = CpuMask::from_cpus(0..cpus);
        let designated = (0..cpus).filter(|&cpu| {
            let input = DesignatedInput {
                cpu,
                idle: if idle[cpu] { IdleType::Idle } else { IdleType::Busy },
                candidates: &mask,
                mask: &mask,
                smt,
                nr_running: 0,
                wakeup_pending: false,
            };
            should_we_balance(&rules(release), &input, &view, &mut ())
        });
        prop_assert_eq!(designated.count(), 1);
    }

    #[test]
    fn an_interval_is_the_rounded_product_within_its_bounds(
        release in any_release(),
        ms in 0_u32..1024,
        busy in any::<bool>(),
        busy_factor in prop_oneof![Just(16_u32), Just(32)],
        hz in prop_oneof![Just(100_u32), Just(250), Just(300), Just(1000)],
        online_cpus in 1_u32..400,
    ) {
        let rules = rules(release);
        let input = IntervalInput { balance_interval: ms, busy, busy_factor, hz, online_cpus };
        let product = u64::from(ms) * if busy { u64::from(busy_factor) } else { 1 };
        // The smallest number of jiffies that lasts at least as long.
        let mut jiffies = 0_u64;
        while jiffies * 1000 < product * u64::from(hz) {
            jiffies += 1;
        }
        if busy && release != Release::V4_19 {
            jiffies = jiffies.saturating_sub(1);
        }
        let expected = jiffies.min(u64::from(hz * online_cpus / 10)).max(1);
        prop_assert_eq!(crate::balance::intervals::balance_interval(&rules, &input), expected);
    }

    #[test]
    fn a_pass_walks_no_further_than_it_may(
        release in any_release(),
        idle in any_idle(),
        tasks in 2_u32..80,
        amount in 1_i64..100,
        // Above 32 there are breathers; a test of its own walks through one.
        nr_migrate in 1_u32..=32,
    ) {
        let rules = with(release, "nr_migrate", &nr_migrate.to_string());
        let mut walk = Walk::new(&rules, idle, false, tasks, amount).unwrap();
        let mut looked = 0;
        while looked < 200 && walk.next(&rules, tasks - walk.detached, tasks - walk.detached, &mut ()) == Step::Look {
            looked += 1;
            walk.all_pinned = false;
            walk.take(walk.amount - 1);
        }
        let kept = u32::from(idle != IdleType::Busy);
        let expected = (tasks - kept).min(nr_migrate).min(u32::try_from(amount).unwrap());
        prop_assert_eq!(walk.detached, expected);
    }
}
