import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Api } from '../../cli/http/api';
import type { Approval } from '../../cli/http/types';
import { createProgram } from '../../cli/program';
import { approvalText } from '../../cli/view/approval-text';

const page = (name: string): string => readFileSync(path.resolve(__dirname, '../..', name), 'utf8');

/** Every command that does something, by its words: `connectors test`. */
function registered(command: Command, before: string[] = []): Map<string, Command> {
  return new Map(
    command.commands.flatMap((each): [string, Command][] => {
      const words = [...before, each.name()];
      const inner = registered(each, words);
      return inner.size === 0 ? [[words.join(' '), each]] : [...inner];
    }),
  );
}

/** The commands that the page's table names: `a b\|c <x> [--y]` are two, each with what stands behind it. */
function documented(): { name: string; rest: string }[] {
  const cells = [...page('docs/command-line.md').matchAll(/^\| (`.*?) \| /gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => {
    const spans = [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
    return spans.flatMap((span) => {
      const words = span.split(' ');
      const count = words.findIndex((word) => !/^[a-z][a-z\\|-]*$/.test(word));
      const names = words.slice(0, count < 0 ? words.length : count);
      const last = (names.pop() ?? '').split(/\\?\|/);
      return last.flatMap((each) => {
        const name = [...names, each].join(' ');
        return name === '' ? [] : [{ name, rest: cell }];
      });
    });
  });
}

describe('docs/command-line.md', () => {
  const commands = registered(createProgram());

  it('has every command that there is, and no other', () => {
    expect(new Set(documented().map(({ name }) => name))).toEqual(new Set(commands.keys()));
  });

  it('names options that the commands have', () => {
    const wrong = documented().flatMap(({ name, rest }) => {
      const known = new Set(commands.get(name)?.options.map(({ long }) => long));
      const siblings = documented().filter((other) => other.rest === rest);
      const options = [...rest.matchAll(/--[a-z-]+/g)].map(([option]) => option);
      return options
        .filter((option) => !known.has(option))
        .filter((option) =>
          siblings.every((other) => !commands.get(other.name)?.options.some(({ long }) => long === option)),
        )
        .map((option) => `${name} ${option}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('README.md', () => {
  it('shows a request as the command line does', () => {
    const approval = {
      approvalId: '4ddc04c7-…',
      runId: 'abccf56f-…',
      step_path: 'review',
      prompt: '3 flags in 2 filings (1 replaced returns, 0 files that could not be read). Write the report?',
      digest: '1f0c…',
      action: { step: 'write_flags' },
      effects_behind: { steps: [{ step: 'write_flags' }], destinations: ['file_export'] },
      may_decide: true,
      rules: { quorum: 1, approvals: 0, four_eyes: false, approvers: [], unknown_approvers: [] },
    } as unknown as Approval;
    const shown = approvalText(new Api('http://127.0.0.1:3000'), approval, {
      command: 'temporal',
      address: '127.0.0.1:7233',
    });
    const [, block = ''] = /^(Approval wanted[^]*?)^```$/m.exec(page('README.md')) ?? [];
    const comparable = (text: string): string[] =>
      text
        .replace(/"decisionId":"[^"]+"/, '"decisionId":"…"')
        .replace(/\$\(cat \S+\)/, '$(cat …)')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('    '));
    expect(comparable(block)).toEqual(comparable(shown));
  });
});
