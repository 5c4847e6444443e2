/**
 * Explains how to configure a language model: a link for operators, a configuration line for everyone else.
 */
import { useHasPermission, useMembership, useUser } from '../app/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { t } from '../words/words.ts'

export function ModelSetup({ setting }: { setting: 'OCTAVO_MODEL' | 'OCTAVO_ASSISTANT_MODEL' }) {
  const { isOperator } = useUser()
  const { id } = useMembership()
  const mayChange = useHasPermission('instance') && isOperator
  if (mayChange)
    return (
      <ButtonLink look="primary" href={`/o/${id}/server`}>
        {t('Set up the language model')}
      </ButtonLink>
    )
  return <CodeBlock title={t('Setting of the server')} text={`${setting}=anthropic:claude-sonnet-4-5`} />
}
