/**
 * Code samples in compiled languages. Each is a complete program, except for the enclosing class in Java and
 * C#.
 */
import type { SampleBody, SampleRequest } from './sample-call.ts'
import { quoted } from './sample-text.ts'

export function goSample({ method, url, headers, body }: SampleRequest): string {
  const imports = ['fmt', 'io', 'net/http']
  const setup: string[] = []
  const payload = goPayload(body, setup, imports)
  const lines = [
    'package main',
    '',
    'import (',
    ...imports.sort().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...setup.map((line) => (line === '' ? '' : `\t${line}`)),
    `\treq, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${payload})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...headers.map(([name, value]) => `\treq.Header.Set(${quoted(name)}, ${quoted(value)})`),
    ...(body?.kind === 'multipart' ? ['\treq.Header.Set("Content-Type", form.FormDataContentType())'] : []),
    '',
    '\tres, err := http.DefaultClient.Do(req)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer res.Body.Close()',
    '',
    '\tanswer, err := io.ReadAll(res.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(string(answer))',
    '}',
  ]
  return lines.join('\n')
}

function goPayload(body: SampleBody | null, setup: string[], imports: string[]): string {
  if (body === null) return 'nil'
  if (body.kind === 'json' || body.kind === 'text') {
    imports.push('strings')
    setup.push(`payload := strings.NewReader(${goStringLiteral(body.text)})`, '')
    return 'payload'
  }
  if (body.kind === 'form') {
    imports.push('strings', 'net/url')
    setup.push('form := url.Values{}')
    for (const { name, value } of body.fields) setup.push(`form.Set(${quoted(name)}, ${quoted(value)})`)
    setup.push('')
    return 'strings.NewReader(form.Encode())'
  }
  if (body.kind === 'file') {
    imports.push('os')
    setup.push('payload, err := os.Open("file")', 'if err != nil {', '\tpanic(err)', '}', '')
    return 'payload'
  }
  imports.push('bytes', 'mime/multipart')
  setup.push('var payload bytes.Buffer', 'form := multipart.NewWriter(&payload)')
  for (const { name, value, isFile } of body.fields) {
    if (!isFile) {
      setup.push(`form.WriteField(${quoted(name)}, ${quoted(value)})`)
      continue
    }
    if (!imports.includes('os')) imports.push('os')
    setup.push(
      `if part, err := form.CreateFormFile(${quoted(name)}, "file"); err == nil {`,
      '\tif file, err := os.Open("file"); err == nil {',
      '\t\tio.Copy(part, file)',
      '\t}',
      '}',
    )
  }
  setup.push('form.Close()', '')
  return '&payload'
}

/** Formats a raw string literal, or an interpreted one if the text contains a backquote. */
function goStringLiteral(text: string): string {
  return text.includes('`') || text.includes('\r') ? quoted(text) : `\`${text}\``
}

export function javaSample({ method, url, headers, body }: SampleRequest): string {
  const isForm = body?.kind === 'form'
  const lines = [
    'import java.net.URI;',
    ...(isForm ? ['import java.net.URLEncoder;'] : []),
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    ...(isForm ? ['import java.nio.charset.StandardCharsets;'] : []),
    ...(body?.kind === 'file' || body?.kind === 'multipart' ? ['import java.nio.file.Path;'] : []),
    '',
    ...javaSetup(body),
    'var request = HttpRequest.newBuilder()',
    `    .uri(URI.create(${quoted(url.replace(/[{}<>]/g, encodeURIComponent))}))`,
    ...headers.map(([name, value]) => `    .header(${quoted(name)}, ${quoted(value)})`),
    ...(body?.kind === 'multipart'
      ? ['    .header("Content-Type", "multipart/form-data; boundary=" + boundary)']
      : []),
    `    .method(${quoted(method)}, ${javaPublisher(body)})`,
    '    .build();',
    '',
    'var response = HttpClient.newHttpClient()',
    '    .send(request, HttpResponse.BodyHandlers.ofString());',
    '',
    'System.out.println(response.body());',
  ]
  return lines.join('\n')
}

function javaSetup(body: SampleBody | null): string[] {
  if (body?.kind === 'form') {
    const parts = body.fields.map(
      ({ name, value }) =>
        `${quoted(`${encodeURIComponent(name)}=`)} + URLEncoder.encode(${quoted(value)}, StandardCharsets.UTF_8)`,
    )
    return [`var payload = ${parts.join('\n    + "&" + ') || '""'};`, '']
  }
  if (body?.kind === 'json' || body?.kind === 'text')
    return [`var payload = ${javaStringLiteral(body.text)};`, '']
  if (body?.kind !== 'multipart') return []
  const parts = body.fields.flatMap(({ name, value, isFile }) => {
    const disposition = `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="file"' : ''}`
    const head = `ofString("--" + boundary + ${quoted(`\r\n${disposition}\r\n\r\n`)}`
    return isFile
      ? [`${head})`, 'ofFile(Path.of("file"))', 'ofString("\\r\\n")']
      : [`${head} + ${quoted(`${value}\r\n`)})`]
  })
  const publishers = [...parts, 'ofString("--" + boundary + "--")'].map(
    (part) => `    HttpRequest.BodyPublishers.${part}`,
  )
  return [
    'var boundary = "boundary";',
    `var payload = HttpRequest.BodyPublishers.concat(\n${publishers.join(',\n')});`,
    '',
  ]
}

/**
 * Formats a text block, or a string literal if the text contains a sequence that is special in text blocks.
 */
function javaStringLiteral(text: string): string {
  if (!text.includes('\n')) return quoted(text)
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""')
  return `"""\n${safe.replace(/^/gm, '    ')}"""`
}

function javaPublisher(body: SampleBody | null): string {
  if (body === null) return 'HttpRequest.BodyPublishers.noBody()'
  if (body.kind === 'file') return 'HttpRequest.BodyPublishers.ofFile(Path.of("file"))'
  return body.kind === 'multipart' ? 'payload' : 'HttpRequest.BodyPublishers.ofString(payload)'
}

export function csharpSample({ method, url, headers, body }: SampleRequest): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const name = method.charAt(0) + method.slice(1).toLowerCase()
  const others = headers.filter(([header]) => header.toLowerCase() !== 'content-type')
  const lines = [
    'using System.Text;',
    '',
    'using var client = new HttpClient();',
    '',
    `var request = new HttpRequestMessage(HttpMethod.${name}, ${quoted(url)});`,
    ...others.map(
      ([header, value]) => `request.Headers.TryAddWithoutValidation(${quoted(header)}, ${quoted(value)});`,
    ),
    ...csharpContent(body, type ?? 'application/json'),
    '',
    'var response = await client.SendAsync(request);',
    '',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
  ]
  return lines.join('\n')
}

function csharpContent(body: SampleBody | null, type: string): string[] {
  if (body === null) return []
  if (body.kind === 'json' || body.kind === 'text') {
    return [
      `request.Content = new StringContent(${csharpStringLiteral(body.text)}, Encoding.UTF8, ${quoted(type)});`,
    ]
  }
  if (body.kind === 'file') {
    return [
      'request.Content = new StreamContent(File.OpenRead("file"));',
      `request.Content.Headers.TryAddWithoutValidation("Content-Type", ${quoted(type)});`,
    ]
  }
  if (body.kind === 'form') {
    const pairs = body.fields.map(({ name, value }) => `    [${quoted(name)}] = ${quoted(value)},`)
    return [
      'request.Content = new FormUrlEncodedContent(new Dictionary<string, string>',
      '{',
      ...pairs,
      '});',
    ]
  }
  const parts = body.fields.map(({ name, value, isFile }) =>
    isFile
      ? `form.Add(new StreamContent(File.OpenRead("file")), ${quoted(name)}, "file");`
      : `form.Add(new StringContent(${quoted(value)}), ${quoted(name)});`,
  )
  return ['var form = new MultipartFormDataContent();', ...parts, 'request.Content = form;']
}

/** Formats a raw string literal, delimited by more quotation marks than occur in a row in the text. */
function csharpStringLiteral(text: string): string {
  if (!text.includes('\n')) return quoted(text)
  const longest = Math.max(2, ...[...text.matchAll(/"+/g)].map(([run]) => run.length))
  const fence = '"'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
