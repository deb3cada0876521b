import { Pool } from 'pg';
import type { JsonObject } from '../../core/base/json';
import { addField } from './activities';

/**
 * Short steps as written by hand: one activity carries out several, and records the result of each in PostgreSQL, in
 * its own transaction, before the next begins. A second attempt continues after the last one.
 */
const TABLE = `create schema if not exists bench_bare;
  create table if not exists bench_bare.steps (run text, step integer, result jsonb not null, primary key (run, step))`;
const RECORD = 'insert into bench_bare.steps (run, step, result) values ($1, $2, $3)';
const LAST = 'select step, result from bench_bare.steps where run = $1 order by step desc limit 1';
const ALL = 'select step, result from bench_bare.steps where run = $1 order by step';

interface Recorded {
  step: number;
  result: JsonObject;
}

export class Segments {
  private constructor(private readonly pool: Pool) {}

  static async connect(url: string): Promise<Segments> {
    const pool = new Pool({ connectionString: url, max: 10 });
    await pool.query(TABLE);
    return new Segments(pool);
  }

  /** Steps in a row, each with the document of the step before. */
  async chain(run: string, document: JsonObject, steps: number): Promise<JsonObject> {
    const [last] = await this.read(LAST, run);
    let current = last?.result ?? document;
    for (let no = (last?.step ?? 0) + 1; no <= steps; no++) {
      current = await addField(current, `f${no}`, no);
      await this.record(run, no, current);
    }
    return current;
  }

  /** Steps that do not need each other. */
  async fanOut(run: string, branches: number): Promise<JsonObject[]> {
    const results = (await this.read(ALL, run)).map(({ result }) => result);
    for (let no = results.length + 1; no <= branches; no++) {
      const result = await addField({ no }, 'value', no);
      await this.record(run, no, result);
      results.push(result);
    }
    return results;
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async read(text: string, run: string): Promise<Recorded[]> {
    const { rows } = await this.pool.query<Recorded>({ name: text, text, values: [run] });
    return rows;
  }

  private async record(run: string, step: number, result: JsonObject): Promise<void> {
    await this.pool.query({ name: RECORD, text: RECORD, values: [run, step, JSON.stringify(result)] });
  }
}

/** Activities under the names that the worker registers and the workflows call. */
export function segmentActivities(segments: Segments): SegmentActivities {
  return {
    chainSegment: (run, document, steps) => segments.chain(run, document, steps),
    fanOutSegment: (run, branches) => segments.fanOut(run, branches),
  };
}

export interface SegmentActivities {
  chainSegment(run: string, document: JsonObject, steps: number): Promise<JsonObject>;
  fanOutSegment(run: string, branches: number): Promise<JsonObject[]>;
}
