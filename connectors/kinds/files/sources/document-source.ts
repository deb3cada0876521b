/** Stored documents of an owner. */
export interface DocumentSource {
  /** Nothing when the owner has no such document. */
  find(
    ownerId: string,
    id: string,
  ): Promise<{ name: string; size: number; read: () => Promise<Uint8Array> } | undefined>;
}
