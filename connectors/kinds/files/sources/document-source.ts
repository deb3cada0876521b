/** Stored documents of an owner. */
export interface DocumentSource {
  /** Finds a document; undefined when the owner has none such. */
  find(
    ownerId: string,
    id: string,
  ): Promise<{ name: string; size: number; read: () => Promise<Uint8Array> } | undefined>;
}
