import { showOnce } from '../../app/show-once.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { rich, t } from '../../words/words.ts'

export function showAutomationUrl(address: string): void {
  showOnce({
    title: t('The URL'),
    about: t('Shown only once: anyone with this URL can send messages. If you lose it, create a new one.'),
    done: t('I have saved it'),
    content: (
      <>
        <CopyField label={t('Address')} text={address} />
        <p class="mt-3 text-13 text-soft">
          {rich(
            'Works with programs that post to Slack. Others send JSON with {text}, and {topic} to group messages.',
            { text: <code class="font-mono">text</code>, topic: <code class="font-mono">topic</code> },
          )}
        </p>
      </>
    ),
  })
}
