import { collectConditionReferences, parseCondition } from '../expr/condition';
import { parseReference } from '../expr/reference';
import { collectReferences, parseTemplate } from '../expr/template';
import type { ExprProblem, Reference } from '../expr/types';
import type { ExpressionSite } from './expression-sites';

/** A site with what its text says. */
export interface ParsedSite extends ExpressionSite {
  references: Reference[];
  problem?: ExprProblem;
  /** The whole text is one reference, so its value keeps its type. */
  whole?: Reference;
}

export function parseSite(site: ExpressionSite): ParsedSite {
  switch (site.grammar) {
    case 'condition': {
      const parsed = parseCondition(site.text);
      if (!parsed.ok) return { ...site, references: [], problem: parsed.problem };
      return { ...site, references: collectConditionReferences(parsed.value) };
    }
    case 'reference': {
      const parsed = parseReference(site.text);
      if (!parsed.ok) return { ...site, references: [], problem: parsed.problem };
      return { ...site, references: [parsed.value], whole: parsed.value };
    }
    case 'template': {
      const parsed = parseTemplate(site.text);
      if (!parsed.ok) return { ...site, references: [], problem: parsed.problem };
      const base = { ...site, references: collectReferences(site.text) };
      return parsed.value.kind === 'whole' ? { ...base, whole: parsed.value.ref } : base;
    }
  }
}
