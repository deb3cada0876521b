import type { TeamRow } from '../../infra/db/stores/profile-types';
import { withoutNulls } from '../shared/views';
import type { TeamDto } from './dto/team.dto';

export function teamView(row: TeamRow): TeamDto {
  const { description, row_version: _version, ...shown } = row;
  return { ...shown, ...withoutNulls({ description }) };
}
