import type { JsonObject } from '../../core/base/json';
import type { RunEvent, UnitCall } from '../../core/engine/commands';

/** Events that an action adds; they are recorded with its result. */
export class ActionEvents {
  private readonly events: RunEvent[] = [];
  effectSent = false;
  unsafeSent = false;
  target = '';

  constructor(private readonly unit: UnitCall) {}

  add(type: string, payload: JsonObject): void {
    const id = `${this.unit.path}:n:${this.unit.tryNo}:${this.events.length}`;
    this.events.push({
      id,
      type,
      step_path: this.unit.path,
      payload: { at: new Date().toISOString(), step: this.unit.name, ...payload },
    });
  }

  get count(): number {
    return this.events.length;
  }

  /** Drops events after the first `count`: their transaction was rolled back. */
  forgetSince(count: number): void {
    this.events.splice(count);
  }

  all(): RunEvent[] {
    if (!this.effectSent) return this.events;
    const payload = { at: new Date().toISOString(), step: this.unit.name, effect_key: this.unit.effectKey };
    return [
      ...this.events,
      { id: `${this.unit.path}:er:${this.unit.tryNo}`, type: 'effect.recorded', step_path: this.unit.path, payload },
    ];
  }
}
