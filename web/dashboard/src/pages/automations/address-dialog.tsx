import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { rich, t } from '../../words/words.ts'

/** Shows the URL that an automation receives its messages at. */
export function AddressDialog({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('The address')}
      about={t(
        'Shown only once: whoever knows this address can send messages. If you lose it, give the automation a new one.',
      )}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('I have it')}
        </Button>
      }
    >
      <CopyField label={t('Address')} text={address} />
      <p class="mt-3 text-13 text-soft">
        {rich(
          'Programs that write to Slack need nothing else. Others send JSON with {text}, and {topic} where messages belong together.',
          { text: <code class="font-mono">text</code>, topic: <code class="font-mono">topic</code> },
        )}
      </p>
    </Dialog>
  )
}
