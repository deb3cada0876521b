import { opt, out } from './define';
import type { ActionContract } from './types';

export const GRAPH_ANALYSIS_ACTIONS: ActionContract[] = [
  {
    name: 'analyze_graph',
    group: 'graph_analysis',
    description: 'Runs a graph algorithm over a part of the knowledge graph.',
    step_type: 'tool',
    inputs: [opt('entities', 'entity[]', 'Where to start; the whole graph where absent.')],
    params: [
      opt('algorithm', 'string', 'Algorithm to run.', {
        enum: ['pagerank', 'community_detection', 'betweenness', 'shortest_path', 'connected_components'],
      }),
      opt('scope', 'string', 'Which part of the graph.', { enum: ['full_graph', 'subgraph_from_entities'] }),
      opt('max_nodes', 'integer', 'Largest number of nodes to load.'),
    ],
    outputs: [
      out('results', 'record[]', 'One record a node, community or path; its fields depend on the algorithm.'),
      out('node_count', 'integer', 'Nodes looked at.'),
      out('edge_count', 'integer', 'Edges looked at.'),
    ],
    short: false,
    pure: false,
    effect: 'none',
    available: false,
  },
];
