/** Creates code samples with a library, for less common languages. */
import type { SampleRequest } from '../../openapi/sample-call.ts'

export async function createLibrarySample(
  { method, url, headers, body }: SampleRequest,
  target: string,
  client: string,
): Promise<string | null> {
  // Loaded on demand, because most sites do not use these languages.
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
