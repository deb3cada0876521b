import { describe, expect, it } from '@jest/globals';
import { effectsBehindText, effectsWithoutYes, withoutYesTexts } from '../../../core/report/effects-behind-text';

describe('what is said of a no and of silence', () => {
  const send = { steps: [{ step: 'send' }] };
  const due_at = '2026-11-30T00:00:00.000Z';
  const more = { due_at, on_reject: 'stop', on_timeout: 'stop' };
  it.each<[string, Parameters<typeof withoutYesTexts>[0], string[]]>([
    ['both stop', { ...more, effects_behind: send }, ['rejected: the run stops', 'not decided in time: the run stops']],
    [
      'no time limit',
      { on_reject: 'skip', on_timeout: 'skip', effects_behind: { ...send, on_reject: send } },
      ['rejected: the run goes on; also after a rejection: send'],
    ],
    [
      'the shown call was edited',
      {
        on_reject: 'skip',
        on_timeout: 'skip',
        due_at,
        action: { step: 'send' },
        edits: { note: 'small' },
        effects_behind: { ...send, on_reject: { steps: [{ step: 'send' }, { step: 'p' }] }, on_timeout: send },
      },
      [
        'rejected: the run goes on; also after a rejection: send with its inputs from before the edit, p',
        'not decided in time: the run goes on; also after a time-out: send with its inputs from before the edit',
      ],
    ],
    [
      'both let the shown call go',
      { due_at, on_reject: 'skip', on_timeout: 'skip', effects_behind: { ...send, on_reject: send, on_timeout: send } },
      [
        'rejected: the run goes on; also after a rejection: send',
        'not decided in time: the run goes on; also after a time-out: send',
      ],
    ],
    [
      'a no goes on without an effect',
      { ...more, on_reject: 'skip', effects_behind: { ...send, on_reject: { steps: [] } } },
      ['rejected: the run goes on, and nothing with an effect outside follows', 'not decided in time: the run stops'],
    ],
    [
      'the caller goes on',
      { ...more, effects_behind: { ...send, on_reject: { steps: [], caller: true } } },
      [
        'rejected: the run stops; also after a rejection: what the playbook that started this one does next',
        'not decided in time: the run stops',
      ],
    ],
    [
      'a request of before',
      { ...more, on_reject: 'skip', effects_behind: send },
      ['rejected: the run goes on; what it does then is not known here', 'not decided in time: the run stops'],
    ],
  ])('%s', (_what, request, texts) => {
    expect(withoutYesTexts(request)).toEqual(texts);
    expect(effectsWithoutYes(request)).toEqual(texts.flatMap((text) => /also after.*/.exec(text) ?? []));
  });
});

describe('the line of a request', () => {
  const behind = {
    steps: [{ step: 'p', in_each: true as const }, { step: 'send' }],
    destinations: ['document' as const],
  };
  it.each<[string, Parameters<typeof effectsBehindText>, string | undefined]>([
    ['no call', [behind, undefined], 'An approval permits these effects: p (in each), send, a document.'],
    ['a call of them', [behind, 'send'], 'Behind it also: p (in each), a document.'],
    ['a call alone', [{ steps: [{ step: 'send' }] }, 'send'], undefined],
    ['nothing', [{ steps: [] }, undefined], 'Nothing with an effect outside lies behind it: the run goes on.'],
    ['not known', [undefined, undefined], 'What lies behind it is not known here.'],
    ['not known beside a call', [undefined, 'send'], 'What else lies behind it is not known here.'],
    [
      'some of one kind without names',
      [
        {
          steps: [],
          destinations: ['document', 'data_workspace_table'],
          targets: [
            { type: 'document', format: 'csv' },
            { type: 'data_workspace_table' },
            { type: 'document', format: 'csv' },
          ],
        },
        undefined,
      ],
      'An approval permits these effects: 2 times a document (csv), a workspace table.',
    ],
    [
      'what is added to, of a request of before',
      [{ steps: [], destinations: ['append_to_existing'] }, undefined],
      'An approval permits these effects: an addition to a document.',
    ],
    ['more', [{ steps: [{ step: 'a' }], more: 1 }, undefined], 'An approval permits these effects: a, 1 more step.'],
    [
      'a caller',
      [{ steps: [], caller: true }, undefined],
      'An approval permits these effects: what the playbook that started this one does next.',
    ],
  ])('%s', (_what, [what, held], text) => {
    expect(effectsBehindText(what, held)).toBe(text);
  });
});
