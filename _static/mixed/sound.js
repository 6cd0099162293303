// A bell of two tones, made here. A browser lets a page sound once somebody has clicked on it: ask for
// the bell then, and ring it whenever.

const TONES = [660, 880];
const TONE_S = 0.25;

export function bell() {
  const context = new AudioContext();
  return () => {
    TONES.forEach((frequency, index) => {
      const start = context.currentTime + index * TONE_S;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.2, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_S);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + TONE_S);
    });
  };
}
