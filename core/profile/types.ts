import type { JsonObject } from '../base/json';

/** A connector that the agent works with. */
export interface TemplateConnector {
  /** Slug in the catalogue. */
  connector: string;
  is_enabled: boolean;
}

export type TemplateSkill = { built_in: string; priority: number } | { playbook: string; priority: number };

/** An agent profile that ships with the product, as a beginning of one's own. */
export interface ProfileTemplate {
  /** Handle of the first copy. */
  id: string;
  name: string;
  description?: string;
  icon?: string;
  model_preference?: string;
  max_research_rounds?: number;
  system_prompt_additions?: string;
  knowledge_config: JsonObject;
  output_config: JsonObject;
  connectors: TemplateConnector[];
  /** The most important first. */
  skills: TemplateSkill[];
}
