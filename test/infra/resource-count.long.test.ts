import { compareWithSynth } from './resource-counts';

jest.setTimeout(900_000);

test('core counts exactly the resources that synth makes, for many configs', () => compareWithSynth(400, Date.now()));
