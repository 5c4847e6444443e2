/** Runs agent tools on a small in-memory site. */
import assert from 'node:assert/strict'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import type { ToolContext } from '../../src/features/agent/loop/tool.ts'
import { runTool } from '../../src/features/agent/loop/toolbox.ts'
import { openWorkspace } from '../../src/features/agent/publish/workspace.ts'

export const SITE: Record<string, string | Uint8Array> = {
  'docs.json':
    '{\n  "navigation": {\n    "groups": [\n      { "group": "Start", "pages": ["index", "guides/setup"] }\n    ]\n  }\n}\n',
  'index.mdx': '---\ntitle: Welcome\n---\nSee [setup](/guides/setup) and ![p](/p.png).\n',
  'guides/setup.mdx':
    "---\ntitle: Set up\ndescription: First steps\n---\nimport Part from '/snippets/part.mdx'\n\n## Install\n\nRun `npm i`.\n\n```sh\n# not a heading\n```\n\n## Configure\n\nSet the port.\n",
  'guides/index.mdx': '# Guides\n\n[one](./setup), [two](setup#install), [three](../p.png)\n',
  'snippets/part.mdx': 'Shared text about zebras\n',
  'p.png': Buffer.from([137, 80, 78, 71, 0, 1, 2]),
  'old.md': Buffer.from('caf\xe9 in Latin-1\n', 'latin1'),
  '.env': 'SECRET=1\n',
  '.github/workflows/ci.yml': 'on: push\n',
}

export function openTools(files = SITE, caps = { files: 20, bytes: 100_000 }) {
  const workspace = openWorkspace(openMemoryTree(files), new Map())
  const said: ToolContext['said'] = { plan: [], finish: null }
  const context: ToolContext = {
    workspace,
    guide: [],
    caps,
    said,
    findNewProblems: async () => [],
    previewPage: async () => 'text of the page',
    signal: new AbortController().signal,
  }
  let calls = 0
  const call = (name: string, input: unknown) => runTool(context, { id: `call_${calls++}`, name, input })
  /** Runs a tool that must succeed and returns its text. */
  const use = async (name: string, input: unknown) => {
    const { text, isError } = await call(name, input)
    assert.equal(isError, false, text)
    return text
  }
  /** Runs a tool that must return an error and returns its text. */
  const refused = async (name: string, input: unknown) => {
    const { text, isError } = await call(name, input)
    assert.equal(isError, true, text)
    return text
  }
  return { workspace, context, said, call, use, refused }
}
