import { shorten } from '../base/shorten';
import type { MapReader } from './map-reader';

const INTERVALS = ['5m', '15m', '30m', '1h', '4h', '12h', '24h'] as const;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Checks what is part of the language but starts nothing yet: the monitor's settings. */
export function checkMonitor(root: MapReader): void {
  const config = root.map('monitor_config');
  if (config === undefined) return;
  config.rejectUnknown(['interval', 'active_hours', 'suppress_if_empty'], '`monitor_config`');
  config.oneOf('interval', INTERVALS, { required: true });
  config.boolean('suppress_if_empty');
  const hours = config.map('active_hours');
  if (hours === undefined) return;
  hours.rejectUnknown(['start', 'end', 'timezone'], '`active_hours`');
  checkTime(hours, 'start');
  checkTime(hours, 'end');
  hours.string('timezone');
}

function checkTime(hours: MapReader, name: string): void {
  const time = hours.string(name, { required: true });
  if (time === undefined || TIME_OF_DAY.test(time)) return;
  const message = `\`${name}\` is "${shorten(time, 20)}", but a time of day written HH:MM is expected, for example "08:00".`;
  hours.report({ code: 'invalid_value', message }, name);
}
