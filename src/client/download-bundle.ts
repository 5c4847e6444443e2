/** Resumable downloads that work in any runtime. */

/** Yields the content of a link. Resumes broken connections with Range, at most `tries` times in a row. */
export async function* download(
  url: string,
  options: { fetch?: typeof fetch; tries?: number } = {},
): AsyncGenerator<Uint8Array> {
  const send = options.fetch ?? fetch
  let received = 0
  let etag: string | null = null
  for (let failures = 0; ; ) {
    try {
      const response: Response = await send(url, {
        headers: received > 0 && etag !== null ? { range: `bytes=${received}-`, 'if-range': etag } : {},
      })
      if (!response.ok || response.body === null) throw new DownloadError(response.status)
      if (received > 0 && response.status !== 206) throw new DownloadError(response.status)
      etag = response.headers.get('etag')
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        received += chunk.byteLength
        failures = 0
        yield chunk
      }
      return
    } catch (error) {
      if (error instanceof DownloadError || ++failures >= (options.tries ?? 5)) throw error
    }
  }
}

export class DownloadError extends Error {
  override name = 'DownloadError'
  readonly status: number
  constructor(status: number) {
    super(
      status === 403 ? 'The link has expired or was altered.' : `The download was answered with ${status}.`,
    )
    this.status = status
  }
}
