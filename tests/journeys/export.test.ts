/** An export end to end: HTTP, database, queue, git or folder, render, archive and link. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createSigningKey } from '../../src/app/operator/signing-key.ts'
import { openAppliedDelta } from '../../src/features/export/archive/apply-delta.ts'
import { makeDelta } from '../../src/features/export/archive/make-delta.ts'
import { checkSignature, readPublicKey } from '../../src/features/export/archive/signature.ts'
import { inspectArchive } from '../../src/features/export/archive/verify-archive.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'

const run = promisify(execFile)
let octavo: TestNode

before(async () => {
  octavo = await startTestNode()
  await octavo.addSite('small.example.com', smallSite())
})
after(() => octavo[Symbol.asyncDispose]())

async function unpack(jobId: string): Promise<string> {
  const bundle = await octavo.client.generateBundle(jobId)
  const bytes = Buffer.from(await (await fetch(bundle.bundleUrl)).arrayBuffer())
  assert.equal(bytes.length, bundle.sizeBytes)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), bundle.sha256)
  const folder = await mkdtemp(join(octavo.dataFolder, 'unpacked-'))
  await writeFile(join(folder, 'bundle.tar.gz'), bytes)
  await run('tar', ['xzf', 'bundle.tar.gz'], { cwd: folder })
  return folder
}

test('an export completes, and its archive holds its pages and a correct manifest', async () => {
  const started = await octavo.client.startExport({ domain: 'small.example.com' })
  assert.equal(started.status, 'queued')
  assert.equal(started.progress, 0)
  const job = await octavo.finished(started.jobId)
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.equal(job.progress, 100)
  assert.equal(job.pageCount, 4)
  assert.equal(job.totalPages, 4)
  const folder = await unpack(job.jobId)
  const home = await readFile(join(folder, 'index.html'), 'utf8')
  assert.match(home, /Welcome to the <a [^>]*href="page-1\.html"/)
  assert.match(await readFile(join(folder, 'page-3.html'), 'utf8'), /Text of page-3\./)
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  for (const [path, file] of Object.entries<{ sha256: string; sizeBytes: number }>(manifest.files)) {
    const bytes = await readFile(join(folder, path))
    assert.equal(bytes.length, file.sizeBytes, path)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256, path)
  }
})

test('two exports of the same files have the same hash, and each bundle request returns a fresh link', async () => {
  const bundles = []
  for (let i = 0; i < 2; i++) {
    const { jobId } = await octavo.client.startExport({ domain: 'small.example.com' })
    assert.equal((await octavo.finished(jobId)).status, 'completed')
    bundles.push(await octavo.client.generateBundle(jobId))
  }
  assert.equal(bundles[0]?.sha256, bundles[1]?.sha256)
  // Links expire at whole seconds, so two requests within the same second return the same link.
  const { jobId, bundleUrl, expiresAt } = bundles[1] ?? assert.fail('there are two')
  await sleep(1000)
  const fresh = await octavo.client.generateBundle(jobId)
  assert.notEqual(fresh.bundleUrl, bundleUrl)
  assert.ok(Date.parse(fresh.expiresAt) > Date.parse(expiresAt))
})

test('bundles are signed reproducibly with the signing key, and the public key is served', async () => {
  const address = `${octavo.url}/.well-known/octavo-signing-key.pem`
  assert.equal((await fetch(address)).status, 404)
  const plain = await exported('small.example.com', 'plain.tar.gz')
  const { file, isNew } = await createSigningKey(octavo.node.context.config)
  assert.equal(isNew, true)
  assert.equal((await createSigningKey(octavo.node.context.config)).isNew, false)
  const published = await (await fetch(address)).text()
  const first = await exported('small.example.com', 'signed.tar.gz')
  const again = await exported('small.example.com', 'again.tar.gz')
  assert.equal(again.sha256, first.sha256)
  const look = await inspectArchive(createReadStream(first.file))
  assert.deepEqual(look.faults, [])
  assert.equal(checkSignature(look, readPublicKey(published)).state, 'proved')
  assert.doesNotMatch((await readFile(first.file)).toString('latin1'), /PRIVATE KEY/)
  const { bytes } = await makeDelta(plain.file, first.file)
  const delta = join(octavo.dataFolder, 'signed.delta')
  await writeFile(delta, bytes)
  await using applied = await openAppliedDelta(plain.file, delta)
  assert.ok((await buffer(applied.bytes)).equals(await readFile(first.file)))
  assert.ok((await readFile(delta)).length < first.sizeBytes / 3)
  await writeFile(file, 'no key')
  const { jobId } = await octavo.client.startExport({ domain: 'small.example.com' })
  const job = await octavo.finished(jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'signing_key_unreadable'])
  await rm(file)
})

async function exported(domain: string, name: string) {
  const { jobId } = await octavo.client.startExport({ domain })
  assert.equal((await octavo.finished(jobId)).status, 'completed')
  const { bundleUrl, sha256, sizeBytes } = await octavo.client.generateBundle(jobId)
  const file = join(octavo.dataFolder, name)
  await writeFile(file, Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()))
  return { file, sha256, sizeBytes }
}

test('exports only the requested paths and warns about unknown ones', async () => {
  const { jobId } = await octavo.client.startExport({
    domain: 'small.example.com',
    paths: ['/page-1', 'page-2/', '/nowhere'],
  })
  const job = await octavo.finished(jobId)
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.equal(job.pageCount, 2)
  assert.ok(job.warnings.some((warning) => warning.message.includes('/nowhere')))
})

test('an export of a site that cannot be loaded fails with a reason for its authors', async () => {
  await octavo.addSite('empty.example.com', { 'readme.txt': 'nothing here' })
  const { jobId } = await octavo.client.startExport({ domain: 'empty.example.com' })
  const job = await octavo.finished(jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'site_invalid'])
  assert.match(job.error ?? '', /docs\.json/)
})

test('exports a git repository at its commit from a subfolder', async () => {
  const { folder } = await octavo.addSite('unused.example.com', {})
  const repository = await mkdtemp(join(octavo.dataFolder, 'repository-'))
  const { writeSite } = await import('../kit/site.ts')
  await writeSite(join(repository, 'docs'), smallSite(1))
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: repository })
  await git('init', '-q', '-b', 'main')
  await git('add', '.')
  await git('commit', '-q', '-m', 'docs')
  const commit = (await git('rev-parse', 'HEAD')).stdout.trim()
  await writeFile(join(repository, 'docs', 'index.mdx'), 'not committed')
  assert.ok(folder)

  const { addProject } = await import('../../src/app/operator/administration.ts')
  await addProject(octavo.node.context, {
    organizationId: octavo.organizationId,
    name: 'git',
    domains: ['git.example.com'],
    source: { kind: 'folder', repository, ref: 'main', docsFolder: 'docs' },
  })
  const { jobId } = await octavo.client.startExport({ domain: 'git.example.com' })
  const job = await octavo.finished(jobId)
  assert.equal(job.status, 'completed', job.error ?? '')
  const unpacked = await unpack(jobId)
  assert.match(await readFile(join(unpacked, 'index.html'), 'utf8'), /Welcome to the/)
  assert.equal(JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8')).revision, commit)
})

test('a cancelled export fails with a reason and stays failed', async () => {
  await octavo.addSite('large.example.com', smallSite(120))
  const { jobId } = await octavo.client.startExport({ domain: 'large.example.com' })
  const cancelled = await octavo.client.cancelExport(jobId)
  assert.equal(cancelled.status, 'failed')
  assert.match(cancelled.error ?? '', /cancelled/)
  await assert.rejects(octavo.client.cancelExport(jobId), { status: 409 })
  await assert.rejects(octavo.client.generateBundle(jobId), { status: 409 })
  assert.equal((await octavo.client.getExport(jobId)).status, 'failed')
})

test('progress never decreases while a job runs, and reaches 100 only on completion', async () => {
  const { jobId } = await octavo.client.startExport({ domain: 'large.example.com' })
  let last = { progress: 0, pageCount: 0 }
  for (;;) {
    const job = await octavo.client.getExport(jobId)
    assert.ok(job.progress >= last.progress, `${job.progress} after ${last.progress}`)
    assert.ok(job.pageCount >= last.pageCount)
    assert.equal(job.progress === 100, job.status === 'completed')
    last = job
    if (job.status === 'completed') break
    assert.notEqual(job.status, 'failed', job.error ?? '')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
