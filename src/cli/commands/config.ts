/** `octavo config`: the effective configuration of a node. */
import { describeConfig, loadConfig } from '../../app/config/config.ts'
import { exampleEnv } from '../../app/config/config-options.ts'
import type { Command } from '../command.ts'

export const config: Command = {
  name: 'config',
  summary: 'Print the configuration that a node would use, without secrets.',
  worksOn: 'node',
  flags: { example: { help: 'Print example.env, which describes every variable.' } },
  async run({ has, print }) {
    if (has('example')) {
      process.stdout.write(exampleEnv())
      return 0
    }
    const { config, secrets } = loadConfig()
    const described = describeConfig(config, secrets)
    print.result(described, JSON.stringify(described, null, 2).split('\n'))
    return 0
  },
}
