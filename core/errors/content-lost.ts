/** Stored content is missing or damaged: a repeat alone does not help. */
export function isContentLost({ code }: { code: string }): boolean {
  return code === 'blob_not_found' || code === 'blob_damaged';
}
