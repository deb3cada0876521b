/** Links from the bare address. */
export interface StartDto {
  name: string;
  version: string;
  /** Paths. */
  api: string;
  docs: string;
  openapi: string;
  health: string;
}
