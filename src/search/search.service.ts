import { Injectable } from '@nestjs/common';
import { SEARCH_KINDS, SearchStore, type SearchHit } from '../../infra/db/stores/search.store';
import type { CallerInfo } from '../http/caller';
import { withoutNulls } from '../shared/views';
import type { SearchAnswerDto, SearchHitDto, SearchQuery } from './dto/search.dto';

const USUAL = 10;

@Injectable()
export class SearchService {
  constructor(private readonly store: SearchStore) {}

  async search(caller: CallerInfo, { q, kinds, limit }: SearchQuery): Promise<SearchAnswerDto> {
    const wanted = SEARCH_KINDS.filter((kind) => kinds === undefined || kinds.includes(kind));
    const hits = await this.store.search(caller.ownerId, q, wanted, limit ?? USUAL);
    // One statement asks for all kinds, and promises no order between them.
    const inOrder = wanted.flatMap((kind) => hits.filter((hit) => hit.kind === kind));
    return { items: inOrder.map(hitOf) };
  }
}

function hitOf({ kind, id, title, at, note, status }: SearchHit): SearchHitDto {
  return { kind, id, title, at, ...withoutNulls({ note, status }), link: `/api/agent-factory/${kind}s/${id}` };
}
