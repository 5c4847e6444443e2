/** Tests that each URL only receives the key of its own provider. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAddressGuard } from '../base/net/address-guard.ts'
import { openModel } from './open-model.ts'

const KEYS = {
  anthropic: 'sk-ant-key-of-anthropic',
  openai: 'sk-key-of-openai',
  google: 'AIza-key-of-google',
  compatible: 'key-of-the-own-server',
} as const
const VARIABLES = {
  ANTHROPIC_API_KEY: KEYS.anthropic,
  ANTHROPIC_AUTH_TOKEN: KEYS.anthropic,
  OPENAI_API_KEY: KEYS.openai,
  GOOGLE_GENERATIVE_AI_API_KEY: KEYS.google,
  GEMINI_API_KEY: KEYS.google,
} as const

for (const [provider, own] of [
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'google'],
  ['openai-compatible', 'compatible'],
  ['ollama', 'compatible'],
  ['vllm', 'compatible'],
  ['lmstudio', 'compatible'],
] as const) {
  for (const isKeySet of [true, false]) {
    const what = isKeySet ? 'its own key alone' : 'no key when it has none'
    test(`the URL of a model of ${provider} receives ${what}`, async (t) => {
      const before = { ...process.env }
      Object.assign(process.env, VARIABLES)
      t.after(() => {
        for (const name of Object.keys(VARIABLES)) delete process.env[name]
        Object.assign(process.env, before)
      })
      let sent = ''
      let requests = 0
      const server = createServer((request, response) => {
        requests++
        sent += `${request.url} ${JSON.stringify(request.rawHeaders)}`
        request.on('data', (chunk) => {
          sent += String(chunk)
        })
        request.on('end', () => response.writeHead(400).end('{}'))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.after(() => server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      const keys: Record<string, string> = { ...KEYS }
      if (!isKeySet) delete keys[own]
      const settings = { name: `${provider}:m`, url, replayFile: null, recordFile: null }
      const model = openModel(settings, keys, createAddressGuard({ privateHosts: ['127.0.0.1:*'] }, []))
      const messages = [{ role: 'user', text: 'x' }] as const
      const question = { system: 's', messages, tools: [], maxOutputTokens: 100 }
      await assert.rejects(model.answer(question, AbortSignal.timeout(600_000)))
      const needsKey = own !== 'compatible'
      assert.equal(requests > 0, isKeySet || !needsKey, 'asked at all')
      for (const [name, key] of Object.entries(KEYS))
        assert.equal(sent.includes(key), isKeySet && name === own, `${name} in ${sent}`)
    })
  }
}
