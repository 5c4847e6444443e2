/** Invented feedback texts for demonstrations. */

export const PRAISE = [
  'Clear and short. The second example was exactly what I needed.',
  'Thanks, this saved me an afternoon.',
  'Worked on the first try.',
  'Finally a page that says what the defaults are.',
  'Good structure, I found the right section from the table of contents at once.',
  'Sehr verständlich erklärt, danke!',
  'Das Beispiel mit den Umgebungsvariablen hat mir geholfen.',
  'Très clair, merci pour les exemples.',
  'La explicación paso a paso es justo lo que buscaba.',
  'Ótima página, os exemplos funcionam.',
  '例がわかりやすかったです。ありがとうございます。',
  '写得很清楚，照着做就成功了。',
  'شرح واضح ومختصر، شكرًا لكم.',
  'The diagram makes the order of the steps obvious. More of those, please.',
] as const

export const COMPLAINTS = [
  'The command in step 3 fails for me: it says that the file does not exist.',
  'Which version is this for? My output looks different.',
  'The page mentions a setting that I cannot find anywhere.',
  'I was looking for how to undo this and there is nothing about it.',
  'The link to the reference leads to a page that is not there.',
  'Too long. I only wanted to know the default value.',
  'It does not say what happens when the token has expired.',
  'Please add an example for Windows.',
  'The screenshot shows an older dialog.',
  'Es fehlt, welche Rechte der Schlüssel braucht.',
  'Die Reihenfolge der Schritte stimmt nicht mit der Oberfläche überein.',
  "L'exemple ne fonctionne pas derrière un proxy.",
  'No queda claro dónde se escribe este archivo.',
  'O comando precisa de sudo no meu sistema e isso não é mencionado.',
  'エラーになった場合の対処方法が書かれていません。',
  '缺少出错时的处理说明。',
  'الخطوة الأخيرة لا تعمل على نظامي.',
] as const

export const REASONS = {
  up: ['Easy to follow', 'Solved my problem', 'Good example'],
  down: ['Out of date', 'Missing information', 'Hard to follow', 'Code does not work'],
} as const

export interface DemoSnippet {
  code: string
  filename: string | null
  lang: string
  comments: readonly string[]
}

/** Code blocks that receive feedback. They are stored verbatim, including tabs. */
export const SNIPPETS: readonly DemoSnippet[] = [
  {
    code: 'curl -sS "$OCTAVO_URL/v1/static-export/jobs" \\\n  -H "Authorization: Bearer $OCTAVO_KEY" \\\n  -d \'{"domain":"docs.example.com"}\'',
    filename: null,
    lang: 'bash',
    comments: [
      'The Content-Type header is missing here.',
      'Needs -X POST in my shell alias.',
      'Works, thanks.',
    ],
  },
  {
    code: '{\n  "name": "Example",\n  "navigation": {\n    "groups": [{ "group": "Start", "pages": ["index"] }]\n  }\n}',
    filename: 'docs.json',
    lang: 'json',
    comments: ['My editor complains about the schema.', 'Can groups be nested?'],
  },
  {
    code: 'import { createServer } from "node:http";\n\ncreateServer((_req, res) => {\n\tres.end("ok");\n}).listen(8080);\n',
    filename: 'server.js',
    lang: 'js',
    comments: [
      'Port 8080 is taken on most machines of ours.',
      'This is CommonJS only in my setup, how do I convert it?',
    ],
  },
  {
    code: 'def verify(body: bytes, header: str) -> bool:\n    expected = sign(body)\n    return hmac.compare_digest(expected, header)\n',
    filename: 'verify.py',
    lang: 'python',
    comments: [
      '`sign` is not defined anywhere on this page.',
      'compare_digest wants two values of one type, this raises a TypeError.',
    ],
  },
  {
    code: 'services:\n  docs:\n    image: octavo\n    ports: ["4000:4000"]\n    volumes: ["./data:/data"]\n',
    filename: 'compose.yaml',
    lang: 'yaml',
    comments: ['The volume needs the right owner, say so.', 'Hilfreich, danke.'],
  },
]

export const AGENT_REPORTS = [
  'The page names an option in the text that the parameter table does not list. I could not decide which is right.',
  'Following the steps in order leads to an error in the last one: the folder of step 2 is never made.',
  'The example response lacks a field that the schema calls required.',
  'No statement on rate limits was found on this page; the user asked for them.',
  'The code sample uses an import path that the installed package does not have.',
  'Answered the user from this page; a section on upgrading from older versions would have helped.',
] as const
