// Writes the moving picture of README: the first minutes of the demo, from the same simulation as the console's.
import { writeFileSync } from 'node:fs';
import { firstMinute, movingPicture } from './first-minute';

writeFileSync('docs/images/first-minute.svg', movingPicture(await firstMinute('.')));
