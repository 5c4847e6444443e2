/**
 * Downloads a stream through fetch and saves it as a file, because a plain link cannot send the header that names the
 * organization.
 */
export async function saveFile(
  stream: AsyncIterable<Uint8Array>,
  { name, type }: { name: string; type: string },
  onSize: (bytes: number) => void = () => undefined,
): Promise<void> {
  const parts: BlobPart[] = []
  let size = 0
  for await (const part of stream) {
    parts.push(part as BlobPart)
    size += part.byteLength
    onSize(size)
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(parts, { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
