import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findCycle } from '../../../core/graph/cycle';
import { ancestorsOf, dependenciesOf, dependencyEdges, dependentsOf, isDag } from '../../../core/graph/dependencies';
import { layers, type Edge } from '../../../core/graph/layers';

const edge = (from: string, to: string): Edge => ({ from, to });

describe('layers', () => {
  it('puts each node right behind all that it depends on, in declaration order', () => {
    const result = layers(['d', 'c', 'b', 'a'], [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')]);
    expect(result).toEqual({ layers: [['a'], ['c', 'b'], ['d']], rest: [] });
  });

  it('keeps independent nodes together and counts a double edge once', () => {
    expect(layers(['x', 'y', 'z'], [edge('x', 'z'), edge('x', 'z')])).toEqual({
      layers: [['x', 'y'], ['z']],
      rest: [],
    });
  });

  it('ignores edges of unknown nodes', () => {
    expect(layers(['x'], [edge('nowhere', 'x'), edge('x', 'nowhere')])).toEqual({ layers: [['x']], rest: [] });
  });

  it('leaves nodes on and behind a cycle over', () => {
    expect(layers(['a', 'b', 'c', 'd'], [edge('a', 'b'), edge('b', 'a'), edge('b', 'c')])).toEqual({
      layers: [['d']],
      rest: ['a', 'b', 'c'],
    });
  });

  it('answers an empty graph', () => {
    expect(layers([], [])).toEqual({ layers: [], rest: [] });
  });
});

describe('findCycle', () => {
  it('names the path of the first cycle', () => {
    expect(findCycle(['a', 'b', 'c', 'd'], [edge('a', 'b'), edge('b', 'c'), edge('c', 'd'), edge('d', 'b')])).toEqual([
      'b',
      'c',
      'd',
      'b',
    ]);
  });

  it('names it from where it was begun', () => {
    expect(findCycle(['a', 'b'], [edge('a', 'b'), edge('b', 'a')])).toEqual(['a', 'b', 'a']);
  });

  it('finds a node that depends on itself', () => {
    expect(findCycle(['a'], [edge('a', 'a')])).toEqual(['a', 'a']);
  });

  it('accepts a diamond', () => {
    expect(
      findCycle(['a', 'b', 'c', 'd'], [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')]),
    ).toBeUndefined();
  });

  it('ignores edges of unknown nodes', () => {
    expect(findCycle(['a'], [edge('nowhere', 'a'), edge('a', 'nowhere'), edge('nowhere', 'nowhere')])).toBeUndefined();
  });

  it('looks at each node once, however many ways lead there', () => {
    const rungs = Array.from({ length: 60 }, (_, index) => [`l${index}`, `r${index}`]);
    const edges = rungs
      .slice(1)
      .flatMap((rung, index) => rung.flatMap((to) => (rungs[index] ?? []).map((from) => edge(from, to))));
    expect(findCycle(rungs.flat(), edges)).toBeUndefined();
    expect(findCycle(rungs.flat(), [...edges, edge('r59', 'l30')])).toHaveLength(31);
  });

  it('survives a chain of 100,000 nodes', () => {
    const nodes = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const edges = nodes.slice(1).map((to, index) => edge(`n${index}`, to));
    expect(findCycle(nodes, edges)).toBeUndefined();
    expect(findCycle(nodes, [...edges, edge('n99999', 'n0')])).toHaveLength(100_001);
  });
});

const graphs = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const nodes = Array.from({ length: size }, (_, index) => `n${index}`);
  const node = fc.constantFrom(...nodes);
  return fc.record({
    nodes: fc.constant(nodes),
    edges: fc.array(fc.record({ from: node, to: node }), { maxLength: 30 }),
  });
});

describe('properties', () => {
  it('layers place a node exactly once, after all its predecessors, or leave it over', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        const result = layers(nodes, edges);
        const place = new Map(result.layers.flatMap((layer, depth) => layer.map((node) => [node, depth] as const)));
        expect([...place.keys(), ...result.rest].sort()).toEqual([...nodes].sort());
        for (const { from, to } of edges) {
          if (place.has(to)) expect(place.get(from)).toBeLessThan(place.get(to) ?? 0);
        }
        for (const layer of result.layers) expect(layer).toEqual(nodes.filter((node) => layer.includes(node)));
      }),
    );
  });

  it('there is a cycle exactly when nodes are left over, and its edges exist', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        const cycle = findCycle(nodes, edges);
        expect(cycle !== undefined).toBe(layers(nodes, edges).rest.length > 0);
        cycle?.slice(1).forEach((to, index) => expect(edges).toContainEqual({ from: cycle[index], to }));
        if (cycle) expect(cycle[0]).toBe(cycle[cycle.length - 1]);
      }),
    );
  });

  it('dependents are the other direction of ancestors', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        const steps = nodes.map((name) => ({
          name,
          depends_on: edges.filter((e) => e.to === name).map((e) => e.from),
        }));
        const needs = dependenciesOf(steps);
        for (const a of nodes)
          for (const b of nodes) expect(dependentsOf(a, steps).has(b)).toBe(ancestorsOf(b, needs).has(a));
      }),
      { numRuns: 50 },
    );
  });
});

describe('dependencies of a list', () => {
  it('a list without depends_on is a sequence', () => {
    const steps = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    expect(isDag(steps)).toBe(false);
    expect([...dependenciesOf(steps)]).toEqual([
      ['a', []],
      ['b', ['a']],
      ['c', ['b']],
    ]);
    expect(dependencyEdges(steps)).toEqual([edge('a', 'b'), edge('b', 'c')]);
  });

  it('one depends_on makes it a DAG, where a step without depends on nothing', () => {
    const steps = [{ name: 'a' }, { name: 'b' }, { name: 'c', depends_on: ['a'] }];
    expect(isDag(steps)).toBe(true);
    expect([...dependenciesOf(steps)]).toEqual([
      ['a', []],
      ['b', []],
      ['c', ['a']],
    ]);
  });

  it('names all that a step waits for and all that waits for it, and nothing of a step that is not there', () => {
    const steps = [{ name: 'a', depends_on: ['nowhere'] }, { name: 'b', depends_on: ['a'] }, { name: 'c' }];
    const needs = dependenciesOf(steps);
    expect([...ancestorsOf('b', needs)]).toEqual(['a', 'nowhere']);
    expect([...ancestorsOf('nowhere', needs)]).toEqual([]);
    expect([...dependentsOf('a', steps)]).toEqual(['b']);
    expect([...dependentsOf('c', steps)]).toEqual([]);
  });

  it('an empty depends_on counts as one', () => {
    expect(isDag([{ name: 'a', depends_on: [] }, { name: 'b' }])).toBe(true);
  });
});
