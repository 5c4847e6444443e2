/** Samples in languages for which a library is used. */
import type { SampleRequest } from '../../openapi/sample-call.ts'

export async function createLibrarySample(
  { method, url, headers, body }: SampleRequest,
  target: string,
  client: string,
): Promise<string | null> {
  // Loaded only by sites that use one of its languages.
  const { snippetz } = await import('@scalar/snippetz')
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/plain'
  const printed = snippetz().print(target as 'c', client as 'libcurl', {
    method,
    url,
    headers: headers.map(([name, value]) => ({ name, value })),
    queryString: [],
    cookies: [],
    ...(body === null ? {} : { postData: postData(body, type) }),
  })
  return printed ?? null
}

function postData(body: NonNullable<SampleRequest['body']>, mimeType: string) {
  if (body.kind === 'json' || body.kind === 'text') return { mimeType, text: body.text }
  if (body.kind === 'file') return { mimeType, text: '' }
  const params = body.fields.map((field) => ({
    name: field.name,
    ...('isFile' in field && field.isFile ? { fileName: 'file' } : { value: field.value }),
  }))
  return { mimeType: body.kind === 'form' ? mimeType : 'multipart/form-data', params }
}
