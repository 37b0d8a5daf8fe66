/** A share of all CPU time, 0 to 1. */
export type Share = number;

/** Counts of one level and kind of balancing. */
export interface BalanceRow {
  level: string;
  kind: "newidle" | "idle" | "busy" | "nohz";
  calls: number;
  gated: number;
  not_due: number;
  lock_failed: number;
  balanced: number;
  failed: number;
  moved_calls: number;
  moved_tasks: number;
  time_ns: number;
}

/** Quantiles of a time, in ns. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** What happened from the start of the run on: `balancescope run --json` without `wall_ns`. */
export interface Stats {
  /** Canonical fragment. */
  scenario: string;
  state_hash: string;
  simulated_ns: number;
  events: number;
  cpus: number;
  /** Names of the levels, bottom up. */
  levels: string[];
  balance: BalanceRow[];
  cpu: { user: Share; balance: Share; lock: Share; other_system: Share; idle: Share };
  throughput_per_s: number;
  /** Wake-up to running; null before the first. */
  latency_ns: Quantiles | null;
  /** Arrival to answer, where the workload has requests. */
  response_ns?: Quantiles;
  migrations: { wakeup: number; fork: number; newidle: number; periodic: number; nohz: number; active: number };
  /** Must be 0. */
  invariants_broken: number;
}

/** One thing of a scenario that could not be used. */
export interface Warning {
  key: string | null;
  text: string;
}

/** A running world. */
export class Simulation {
  /**
   * Builds the world of a link, of its fragment, or of a scenario's JSON.
   * @throws {Error} with one sentence, when no world can be built.
   */
  constructor(fragment: string);
  /**
   * Runs on by a whole number of nanoseconds of simulated time, 0 to 2^53 - 1.
   * @throws {Error} with one sentence, when `ns` is no such number.
   */
  run(ns: number): void;
  /** What happened so far. */
  stats(): Stats;
  /** The hash of the whole state: 16 hexadecimal digits, the same as the command line prints. */
  hash(): string;
  /** The canonical fragment of the scenario. */
  fragment(): string;
  /** What could not be used of the scenario. */
  warnings(): Warning[];
  /** Gives the world's memory back. */
  free(): void;
}
