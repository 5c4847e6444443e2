import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiField, ApiReference } from '../api/reference.ts'
import type { MdxModule, TreeNode } from '../tree/program.ts'
import { apiWords } from '../words/api-words.ts'
import { uiText } from '../words/ui-text.ts'
import { compileReference } from './compile-reference.ts'
import { parseBody } from './compile-repair.ts'

const FIELD: ApiField = {
  id: 'body-a',
  others: [],
  name: 'a',
  type: 'string',
  isRequired: false,
  isDeprecated: false,
  before: [],
  pills: [],
  initial: null,
  description: '',
  facts: [],
  blocks: [],
  same: null,
}
const SAMPLE = { title: 'cURL', name: '', description: '', language: 'bash', code: 'curl' }

function referenceOf(more: Partial<ApiReference>): ApiReference {
  return {
    source: 'api/x.yaml',
    words: apiWords(uiText('en')),
    isAbove: false,
    isExpanded: false,
    blocks: [],
    request: null,
    bodies: null,
    responses: null,
    ...more,
  }
}

function compile(reference: ApiReference, tree: TreeNode[] = []): TreeNode[] {
  const module: MdxModule = { kind: 'mdx', tree, imports: [], data: {}, esm: null, code: [] }
  const deps = {
    mark: () => 0,
    problem() {},
    math: () => ({ error: 'none' }),
    hasMath: true,
    parse: parseBody,
  }
  return compileReference(deps, reference, { page: module })
}

function described(description: string): string {
  return JSON.stringify(
    compile(referenceOf({ blocks: [{ kind: 'fields', fields: [{ ...FIELD, description }] }] })),
  )
}

test('words of a description are Markdown with plain HTML: braces, components and scripts in them are text', () => {
  const made = described(
    'A **b** {process.exit()} <Card>c</Card> <script>d</script> <iframe src="x"></iframe> `{e}` <br> [f](g.md)',
  )
  assert.match(made, /"tag":"strong"/)
  assert.match(made, /process\.exit\(\)/)
  assert.doesNotMatch(made, /"name":"Card"|"tag":"(?:script|iframe)"|"code":\d|"path":/)
  assert.match(made, /"tag":"br"/)
  assert.match(made, /"href":"\/api\/g\.md"/)
})

test('headings inside of a field are lines in bold, those above the fields are headings', () => {
  assert.match(described('# Title\n\ntext'), /"tag":"p","children":\[{"tag":"strong","children":\["Title"\]/)
  const top = compile(referenceOf({ blocks: [{ kind: 'prose', markdown: '## Title' }] }))
  assert.match(JSON.stringify(top), /"tag":"h2"/)
})

test('examples of the author stand in place of those that would be made', () => {
  const panel = { title: '/x', method: 'GET', label: 'Language', samples: [SAMPLE], isRemembered: true }
  const reference = referenceOf({ request: panel, responses: { ...panel, method: null } })
  const ids = (nodes: TreeNode[]) =>
    nodes.flatMap((node) => (typeof node === 'object' && 'name' in node ? [node.props?.id] : []))
  assert.deepEqual(ids(compile(reference)), ['request-example', 'response-example'])
  const own: TreeNode = { tag: 'div', children: [{ name: 'RequestExample', mark: 0 }] }
  assert.deepEqual(ids(compile(reference, [own])), ['response-example'])
  assert.deepEqual(ids(compile(reference, [own, { name: 'ResponseExample', mark: 0 }])), [])
})

test('nested fields are closed, unless the site opens them', () => {
  const nested = { ...FIELD, blocks: [{ kind: 'fields' as const, fields: [FIELD] }] }
  const blocks = [{ kind: 'fields' as const, fields: [nested] }]
  assert.doesNotMatch(JSON.stringify(compile(referenceOf({ blocks }))), /"open":true/)
  assert.match(JSON.stringify(compile(referenceOf({ blocks, isExpanded: true }))), /"open":true/)
})
