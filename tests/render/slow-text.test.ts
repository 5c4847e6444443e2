import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import { openSiteProcess } from '../../src/render/site-process.ts'
import { requestOf } from '../kit/body-request.ts'
import { bodyText } from '../kit/markup-text.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { smallSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

test('text that parsers cannot finish is shown as written, in a page or in a snippet', async () => {
  let deaths = 0
  const log = {
    ...silentLog,
    warn: (_: object, event: string) => {
      if (event === 'render.child_lost') deaths += 1
    },
  }
  const own = openBodyRenderer({ children: 1, log })
  const endless = `First words.\n\n${'{1} '.repeat(60_000)}\n\nLast words.\n`
  // The parser is stopped by its CPU time, which can take minutes to add up on a shared machine.
  const signal = patience()
  try {
    const { body: alone } = await own.render(requestOf(endless), signal)
    assert.match(
      bodyText(alone)
        .html.replace(/<[^>]*>|\s+/g, ' ')
        .trim(),
      /^First words\. +\{1\} .* \{1\} +Last words\.$/,
    )
    assert.deepEqual(
      alone.problems.map(({ code }) => code),
      ['mdx.syntax'],
    )
    assert.match(alone.problems[0]?.message ?? '', /takes too long.*as plain text/)
    const { body: including } = await own.render(
      requestOf('import Part from "/snippets/part.mdx"\n\n## Before\n\n<Part />\n\n**After**\n', {
        modules: [{ path: 'snippets/part.mdx', source: endless }],
      }),
      signal,
    )
    assert.match(
      bodyText(including).html,
      /<h2 id="before"[\s\S]*First words\.[\s\S]*Last words\.[\s\S]*<strong>After/,
    )
    assert.equal(including.problems[0]?.file, 'snippets/part.mdx')
    assert.equal(deaths, 1, 'the second page knows what the first has shown')
  } finally {
    await own[Symbol.asyncDispose]()
  }
})

test('limits the CPU time of a parser in the sandboxed process of a site too', async () => {
  const killed: { used: number }[] = []
  const log: Log = {
    ...silentLog,
    child: () => log,
    warn: (fields: object, event: string) => {
      if (event === 'render.child_killed') killed.push(fields as { used: number })
    },
  }
  const files = { ...smallSite(1), 'page-1.mdx': `${'{1} '.repeat(60_000)}\n\nLast words.\n` }
  await using guardedFetch = createGuardedFetch()
  const deps = {
    objects: openMemoryStore(),
    guardedFetch,
    log,
    renderChildren: 1,
    siteMemoryMb: 512,
    projectId: 'prj_own',
  }
  await using site = openSiteProcess(deps)
  const { problems } = await site.build(
    openMemoryTree(files),
    {
      deployment: 'client-hosted',
      features: resolveFeatures('client-hosted'),
      origin: null,
      siteId: null,
      platformUrl: null,
      widgets: {},
      repository: null,
    },
    () => {},
    patience(),
  )
  assert.match(problems.map(({ message }) => message).join(), /takes too long/)
  assert.equal(killed.length, 1)
  assert.ok((killed[0]?.used ?? 0) > 1, `ended after ${killed[0]?.used} s of processor time`)
})
