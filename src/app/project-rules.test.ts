import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProjectFields } from '../accounts/project-fields.ts'
import { loadConfig } from './config.ts'
import { memberRules, operatorRules } from './project-rules.ts'

const source = { kind: 'git', repository: 'https://git.example.com/team/docs.git' } as const
const { config } = loadConfig({}, { OCTAVO_PUBLIC_URL: 'https://octavo.example.net' })

test('no project takes a name of the service, however it is written', () => {
  for (const rules of [memberRules(config), operatorRules(config)]) {
    const take = (domain: string) => checkProjectFields({ name: 'x', domains: [domain], source }, rules)
    for (const domain of [
      'LOCALHOST',
      'localhost.',
      'Octavo.Example.NET.',
      'octavo.example.net:443',
      'ｏctavo.example.net',
      'octavo。example。net',
      'a.b.octavo.example.net.',
      '127.0.0.1',
      '[::1]',
      '2130706433',
      '0x7f000001',
    ])
      assert.throws(() => take(domain), { code: 'invalid_request' }, domain)
    for (const domain of ['docs.localhost', 'notoctavo.example.net'])
      assert.deepEqual(take(domain).domains, [domain])
  }
})
