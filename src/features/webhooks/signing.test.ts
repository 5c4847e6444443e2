import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigningSecret, secretText, signatureHeaders } from './signing.ts'

test('signs the published example of the specification with the expected signature', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  }
  assert.deepEqual(signatureHeaders(secret, message), {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  assert.equal(secretText(secret), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
})

test('each signing secret is new and of a length that the specification allows', () => {
  const [one, other] = [createSigningSecret(), createSigningSecret()]
  assert.notDeepEqual(one, other)
  assert.ok(one.byteLength >= 24 && one.byteLength <= 64)
})
