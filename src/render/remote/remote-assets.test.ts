import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDiscardingFiles } from '../versions/site-files.ts'
import { createImageSizes } from './image-sizes.ts'
import { createRemoteAssets } from './remote-assets.ts'
import type { RemoteFile } from './remote-files.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEElEQVR4nGP4z8DwH4QZcDIAUs4G+klbKvoAAAAASUVORK5CYII=',
  'base64',
)

function openRemoteAssets(answers: Record<string, { type: string; body: string | Uint8Array }>) {
  const asked: string[] = []
  const kept = new Map<string, string>()
  const sizes = createImageSizes()
  const remoteAssets = createRemoteAssets({
    fetchRemote: async (url): Promise<RemoteFile | { fault: string }> => {
      asked.push(url)
      const answer = answers[url]
      if (!answer) return { fault: 'The server answered 404.' }
      return { url, type: answer.type, bytes: Buffer.from(answer.body) }
    },
    files: {
      ...createDiscardingFiles(),
      add: async (path, content) => void kept.set(path, Buffer.from(content).toString()),
      has: (path) => kept.has(path),
    },
    names: { claim: (wish) => wish },
    sizes,
  })
  return { remoteAssets, asked, kept, sizes }
}

test('copies are named by their content and images get a size', async () => {
  const { remoteAssets, asked, kept, sizes } = openRemoteAssets({
    'https://x.example/a?w=2': { type: 'image/png', body: PIXEL },
    'https://y.example/b.png': { type: 'application/octet-stream', body: PIXEL },
  })
  await remoteAssets.download(['//x.example/a?w=2', 'https://x.example/a?w=2', ' https://y.example/b.png '])
  await remoteAssets.download(['https://y.example/b.png'])
  assert.deepEqual(asked, ['https://x.example/a?w=2', 'https://y.example/b.png'])
  const path = remoteAssets.pathOf('//x.example/a?w=2')
  assert.match(path ?? '', /^_octavo\/remote\/[0-9a-f]{16}\.png$/)
  assert.equal(remoteAssets.pathOf('https://y.example/b.png'), path)
  assert.deepEqual([...kept.keys()], [path])
  const picture = 'https://x.example/a?w=2'
  assert.deepEqual(sizes.findSizes([picture]), [{ width: 2, height: 3, isFluid: false }])
})

test('a style sheet downloads what it references and circular imports terminate', async () => {
  const { remoteAssets, kept } = openRemoteAssets({
    'https://x.example/css/a.css': {
      type: 'text/css',
      body: '@import "b.css";a{background:url(../i.svg)}b{background:url(gone.png)}c{background:url(data:,x)}',
    },
    'https://x.example/css/b.css': { type: 'text/css', body: '@import "a.css";p{color:red}' },
    'https://x.example/i.svg': {
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script><rect/></svg>',
    },
  })
  await remoteAssets.download(['https://x.example/css/a.css'])
  const sheet = kept.get(remoteAssets.pathOf('https://x.example/css/a.css') as string) as string
  assert.match(
    sheet,
    /^@import "\.\/[0-9a-f]{16}\.css";a\{background:url\("\.\/[0-9a-f]{16}\.svg"\)\}b\{background:local\(""\)\}c\{background:url\(data:,x\)\}$/,
  )
  const texts = [...kept.values()].join('\n')
  assert.ok(texts.includes('@import "data:text/css,";p{color:red}'))
  assert.ok(!texts.includes('script'))
})

test('does not download pages and scripts and gives a reason for every URL without a copy', async () => {
  const { remoteAssets, kept } = openRemoteAssets({
    'https://x.example/login.png': { type: 'text/html', body: '<p>Log in' },
    'https://x.example/a.js': { type: 'text/javascript', body: 'x()' },
  })
  await remoteAssets.download([
    'https://x.example/login.png',
    'https://x.example/a.js',
    'https://x.example/none.png',
  ])
  assert.equal(
    remoteAssets.faultOf('https://x.example/login.png'),
    'The server returned the content type text/html.',
  )
  assert.equal(
    remoteAssets.faultOf('https://x.example/a.js'),
    'The server returned the content type text/javascript.',
  )
  assert.equal(remoteAssets.faultOf('https://x.example/none.png'), 'The server answered 404.')
  assert.equal(remoteAssets.faultOf('https://x.example/never.png'), null)
  assert.equal(kept.size, 0)
})
